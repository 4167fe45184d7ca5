// SPDX-License-Identifier: Apache-2.0
/** Tests of the socket port over real sockets on loopback. */
@NullMarked
package io.metaroce.socket;

import org.jspecify.annotations.NullMarked;
