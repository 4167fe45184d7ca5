// SPDX-License-Identifier: Apache-2.0
/**
 * {@code metaroce spec}: the coverage ledger of the specification's rules, and the specification as one page.
 *
 * <p>Purpose: say of each rule where it is obeyed, which test names it, or why it is excepted. Threads: the caller's. May
 * depend on: control.cli. Must not: judge what a citation claims; it counts, people read.
 */
@NullMarked
package io.metaroce.harness.spec;

import org.jspecify.annotations.NullMarked;
