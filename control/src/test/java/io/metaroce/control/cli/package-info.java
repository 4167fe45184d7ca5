// SPDX-License-Identifier: Apache-2.0
/** Tests of the command line's frame. Threads: the test's own. May depend on: anything on the test class path. */
@NullMarked
package io.metaroce.control.cli;

import org.jspecify.annotations.NullMarked;
