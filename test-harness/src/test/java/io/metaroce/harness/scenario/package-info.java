// SPDX-License-Identifier: Apache-2.0
/** Scenarios are read strictly, run repeatably, and judged without mercy. */
@NullMarked
package io.metaroce.harness.scenario;

import org.jspecify.annotations.NullMarked;
