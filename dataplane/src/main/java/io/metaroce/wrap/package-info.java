// SPDX-License-Identifier: Apache-2.0
/**
 * Decorators of packet ports: faults that are seeded and counted, so that a run can prove that it lost something.
 *
 * <p>Purpose: wrap any port and change what passes. Threads: a decorator belongs to the lane of its port; only its control
 * and its counters are for everyone. May depend on: port, pcap. Must not:
 * know MOP (a classifier passed in tells what a packet is), allocate after construction, lose a buffer of the wrapped port.
 */
@NullMarked
package io.metaroce.wrap;

import org.jspecify.annotations.NullMarked;
