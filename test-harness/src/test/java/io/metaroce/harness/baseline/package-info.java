// SPDX-License-Identifier: Apache-2.0
/** The baseline against the arithmetic everybody knows. */
@NullMarked
package io.metaroce.harness.baseline;

import org.jspecify.annotations.NullMarked;
