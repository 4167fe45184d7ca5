// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

/**
 * What every MOP packet begins with.
 *
 * <pre>
 *   0        4        8                16               24               32
 *   +--------+--------+----------------+----------------+----------------+
 *   | version| type   | flags          | by type                         |
 *   +--------+--------+----------------+---------------------------------+
 *   | destination connection id                                          |
 *   +--------------------------------------------------------------------+
 * </pre>
 */
public abstract class MopFlyweight extends HeaderFlyweight {
    public static final int VERSION = 1;

    static final int VERSION_TYPE_OFFSET = 0;
    static final int FLAGS_OFFSET = 1;
    static final int CONNECTION_ID_OFFSET = 4;
    /** Bytes that every packet has before its checksum. */
    static final int COMMON_LENGTH = 8;

    public final void versionAndType(PacketType type) {
        uint8(VERSION_TYPE_OFFSET, VERSION << 4 | type.code());
    }

    public final int version() {
        return uint8(VERSION_TYPE_OFFSET) >>> 4;
    }

    public final int typeCode() {
        return uint8(VERSION_TYPE_OFFSET) & 0xf;
    }

    public final int flags() {
        return uint8(FLAGS_OFFSET);
    }

    public final void flags(int flags) {
        uint8(FLAGS_OFFSET, flags);
    }

    public final boolean hasFlag(int flag) {
        return (flags() & flag) != 0;
    }

    /** Chosen by the receiver of the packet, unpredictable. */
    public final int connectionId() {
        return int32(CONNECTION_ID_OFFSET);
    }

    public final void connectionId(int id) {
        int32(CONNECTION_ID_OFFSET, id);
    }
}
