// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.metaroce.counters;

import org.jspecify.annotations.NullMarked;
