// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.metaroce.lane;

import org.jspecify.annotations.NullMarked;
