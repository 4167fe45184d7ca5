// SPDX-License-Identifier: Apache-2.0
/** The fabric against arithmetic, and the transport on it. */
@NullMarked
package io.metaroce.harness.fabric;

import org.jspecify.annotations.NullMarked;
