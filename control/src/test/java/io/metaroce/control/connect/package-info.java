// SPDX-License-Identifier: Apache-2.0
/** Tests of the control channel. Threads: the test's own. May depend on: anything on the test class path. */
@NullMarked
package io.metaroce.control.connect;

import org.jspecify.annotations.NullMarked;
