// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.metaroce.wire;

import org.jspecify.annotations.NullMarked;
