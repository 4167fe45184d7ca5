// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import io.metaroce.port.PacketClassifier;
import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.MopFlyweight;
import io.metaroce.wire.PacketType;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Tells decorators of ports what a MOP packet is, at a glance and before any check: only lengths are trusted. For ports that
 * carry UDP payloads; one instance per port, used by the port's lane.
 */
public final class MopClassifier implements PacketClassifier {
    /** DATA, ACK and PROBE name their path in the same byte; none of them is shorter than this. */
    private static final int LENGTH_MIN = 16;

    private static final int PATH_TYPES = 3;

    private final DataFlyweight header = new DataFlyweight();

    @Override
    public int pathId(UnsafeBuffer packet) {
        return isMop(packet) && header.typeCode() < PATH_TYPES ? header.pathId() : NO_PATH;
    }

    @Override
    public boolean isData(UnsafeBuffer packet) {
        return isMop(packet) && header.typeCode() == PacketType.DATA.code();
    }

    private boolean isMop(UnsafeBuffer packet) {
        if (packet.capacity() < LENGTH_MIN) {
            return false;
        }
        header.wrap(packet, 0);
        return header.version() == MopFlyweight.VERSION;
    }
}
