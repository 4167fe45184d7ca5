// SPDX-License-Identifier: Apache-2.0
/** Tests of the decode command: exact lines, hostile captures, exit codes. */
@NullMarked
package io.metaroce.harness.decode;

import org.jspecify.annotations.NullMarked;
