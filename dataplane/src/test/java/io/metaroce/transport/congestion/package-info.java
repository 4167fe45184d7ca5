// SPDX-License-Identifier: Apache-2.0
/** Tests of windows: plain numbers in and out. */
@NullMarked
package io.metaroce.transport.congestion;

import org.jspecify.annotations.NullMarked;
