// SPDX-License-Identifier: Apache-2.0
/** Tests of the metrics. Threads: the test's own. May depend on: anything on the test class path. */
@NullMarked
package io.metaroce.control.metrics;

import org.jspecify.annotations.NullMarked;
