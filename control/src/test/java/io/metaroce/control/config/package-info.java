// SPDX-License-Identifier: Apache-2.0
/** Tests of the configuration. Threads: the test's own. May depend on: anything on the test class path. */
@NullMarked
package io.metaroce.control.config;

import org.jspecify.annotations.NullMarked;
