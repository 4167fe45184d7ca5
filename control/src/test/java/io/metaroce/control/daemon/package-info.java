// SPDX-License-Identifier: Apache-2.0
/** Tests of the daemon. Threads: the test's own and the node's. May depend on: anything on the test class path. */
@NullMarked
package io.metaroce.control.daemon;

import org.jspecify.annotations.NullMarked;
