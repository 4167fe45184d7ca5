// SPDX-License-Identifier: Apache-2.0
/** What tests of several rooms share. */
@NullMarked
package io.metaroce.testing;

import org.jspecify.annotations.NullMarked;
