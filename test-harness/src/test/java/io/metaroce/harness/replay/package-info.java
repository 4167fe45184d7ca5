// SPDX-License-Identifier: Apache-2.0
/**
 * The corpus of captures, replayed into the transport core in every build: how the captures were made, what must come of
 * them, and a model of a receiver that knows nothing of the code under test.
 */
@NullMarked
package io.metaroce.harness.replay;

import org.jspecify.annotations.NullMarked;
