// SPDX-License-Identifier: Apache-2.0
/**
 * What MOP is measured against: RoCEv2 reliable connection with go-back-N and DCQCN, small and honest.
 *
 * <p>Purpose: baselines in {@code metaroce sim}, tested against the known arithmetic. Threads: those of the fabric. May depend
 * on: harness.fabric. Must not: be tuned to lose.
 */
@NullMarked
package io.metaroce.harness.baseline;

import org.jspecify.annotations.NullMarked;
