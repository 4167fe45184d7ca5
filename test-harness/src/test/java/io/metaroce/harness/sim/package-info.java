// SPDX-License-Identifier: Apache-2.0
/** Tests of the transport in virtual time: fixed and fresh seeds, and faults that must be caught. */
@NullMarked
package io.metaroce.harness.sim;

import org.jspecify.annotations.NullMarked;
