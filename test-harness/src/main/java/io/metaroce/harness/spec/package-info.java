// SPDX-License-Identifier: Apache-2.0
/**
 * {@code metaroce spec}: the coverage ledger of the specification's rules, the specification as one page, and the Wireshark
 * dissector that its tables make.
 *
 * <p>Purpose: say of each rule where it is obeyed, which test names it, or why it is excepted. Threads: the caller's. May
 * depend on: wire (its tables), control.cli. Must not: judge what a citation claims; it counts, people read.
 */
@NullMarked
package io.metaroce.harness.spec;

import org.jspecify.annotations.NullMarked;
