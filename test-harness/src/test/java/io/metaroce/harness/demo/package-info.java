// SPDX-License-Identifier: Apache-2.0
/**
 * What the demonstration's verdict must not let pass.
 *
 * <p>Purpose: a demo that says OK whatever happens shows nothing. Threads: the test's. May depend on: harness.demo. Must
 * not: start processes; {@code ./metaroce test} runs the demo itself.
 */
@NullMarked
package io.metaroce.harness.demo;

import org.jspecify.annotations.NullMarked;
