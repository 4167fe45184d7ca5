// SPDX-License-Identifier: Apache-2.0
/** Tests of the harness's own applications, over real nodes on loopback. */
@NullMarked
package io.metaroce.harness.app;

import org.jspecify.annotations.NullMarked;
