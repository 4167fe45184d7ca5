// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.metaroce.dpdk;

import org.jspecify.annotations.NullMarked;
