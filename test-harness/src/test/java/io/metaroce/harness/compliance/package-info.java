// SPDX-License-Identifier: Apache-2.0
/** The suite itself: its grammar, its verdicts, its reports, and our own target under it. */
@NullMarked
package io.metaroce.harness.compliance;

import org.jspecify.annotations.NullMarked;
