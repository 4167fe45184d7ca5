// SPDX-License-Identifier: Apache-2.0
/** Tests of perf: its arithmetic and words alone, and both of its commands against each other on loopback. */
@NullMarked
package io.metaroce.harness.perf;

import org.jspecify.annotations.NullMarked;
