// SPDX-License-Identifier: Apache-2.0
/** Tests of the ledger and of the page, and through them of the whole tree. */
@NullMarked
package io.metaroce.harness.spec;

import org.jspecify.annotations.NullMarked;
