// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.metaroce.transport.path;

import org.jspecify.annotations.NullMarked;
