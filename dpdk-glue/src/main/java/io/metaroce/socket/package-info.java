// SPDX-License-Identifier: Apache-2.0
/**
 * The socket port: MOP over ordinary UDP sockets of Linux, in bursts, through jnr-ffi and without any C of our own.
 *
 * <p>Purpose: the port that needs no device, no privilege and no installation. Threads: a port belongs to one lane; opening
 * and closing happen before and after. May depend on: port, agrona, jnr-ffi. Must not: keep policy, know the transport,
 * bind a native function with exactly six parameters (the generated stub corrupts the sixth on x86-64) or hand an object
 * to native code on a lane.
 */
@NullMarked
package io.metaroce.socket;

import org.jspecify.annotations.NullMarked;
