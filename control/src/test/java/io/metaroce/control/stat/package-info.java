// SPDX-License-Identifier: Apache-2.0
/** Tests of what is read from running nodes. */
@NullMarked
package io.metaroce.control.stat;

import org.jspecify.annotations.NullMarked;
