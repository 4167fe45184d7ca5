// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.metaroce.check;

import org.jspecify.annotations.NullMarked;
