// SPDX-License-Identifier: Apache-2.0
/** Tests of the decorators against a port in memory. */
@NullMarked
package io.metaroce.wrap;

import org.jspecify.annotations.NullMarked;
