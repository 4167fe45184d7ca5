// SPDX-License-Identifier: Apache-2.0
/**
 * The house rules as tests: who may know whom, what may not happen on a lane, how a file looks.
 *
 * <p>Purpose: style that no program checks is not kept. Threads: the test's own. May depend on: compiled classes and source
 * files of every module. Must not: know what a class does.
 */
@NullMarked
package io.metaroce.harness.structure;

import org.jspecify.annotations.NullMarked;
