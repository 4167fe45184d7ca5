// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

/** Why a connection or a stream was denied. */
public enum RefuseCode {
    VERSION,
    INCOMPATIBLE,
    LIMIT,
    DRAINING,
    UNKNOWN_CONNECTION,
    UNKNOWN_SERVICE,
    REFUSED_BY_SERVICE,
    BUSY,
    INTERNAL
}
