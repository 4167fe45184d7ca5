// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.metaroce.transport.stream;

import org.jspecify.annotations.NullMarked;
