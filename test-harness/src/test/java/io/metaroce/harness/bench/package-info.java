// SPDX-License-Identifier: Apache-2.0

/** Tests of the comparison with other transports. */
@NullMarked
package io.metaroce.harness.bench;

import org.jspecify.annotations.NullMarked;
