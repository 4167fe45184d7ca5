// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

/**
 * A blocked sender asks for a stream's posted-receive limit; always answered by CREDIT, also with an unchanged limit.
 *
 * <pre>
 *   | 1      | 4      | flags          | stream id                       |   0
 *   | destination connection id                                          |   4
 *   | the limit the sender knows                                         |   8
 * </pre>
 */
public final class CreditRequestFlyweight extends MopFlyweight {
    public static final int LENGTH = 12;

    static final int STREAM_ID_OFFSET = 2;
    static final int KNOWN_LIMIT_OFFSET = 8;

    public int streamId() {
        return uint16(STREAM_ID_OFFSET);
    }

    public void streamId(int id) {
        uint16(STREAM_ID_OFFSET, id);
    }

    public int knownLimit() {
        return int32(KNOWN_LIMIT_OFFSET);
    }

    public void knownLimit(int limit) {
        int32(KNOWN_LIMIT_OFFSET, limit);
    }
}
