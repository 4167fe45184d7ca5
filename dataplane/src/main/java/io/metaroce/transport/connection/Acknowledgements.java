// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

/**
 * Sends the ACKs that fall due: each on its own path, so that it has one reverse route on the same plane, and, when a PROBE
 * asked for any path, once more through a living sibling (MOP-PATH).
 */
final class Acknowledgements {
    private final ConnectionState connection;
    private final Reception reception;
    private final PathGroup paths;
    private final ControlPackets packets;
    private int turn;
    private int receiveLevel;

    Acknowledgements(ConnectionState connection, Reception reception, PathGroup paths, ControlPackets packets) {
        this.connection = connection;
        this.reception = reception;
        this.paths = paths;
        this.packets = packets;
    }

    void onReceiveLevel(int level) {
        receiveLevel = level;
    }

    /** Writes the next ACK that is due; 0 if none is. */
    int poll(TransmitFrame frame, long nowNs) {
        int count = connection.settings.paths();
        for (int i = 0; i < count; i++) {
            int pathId = turn + i < count ? turn + i : turn + i - count;
            PathReceiver receiver = reception.path(pathId);
            if (receiver.isAckDue()) {
                turn = pathId;
                paths.route(frame, pathId);
                int length = packets.writeAck(frame.buffer(), receiver, pathId, receiveLevel, nowNs);
                receiver.onAckSent();
                return length;
            }
            if (receiver.isAnyPathDue()) {
                receiver.onAnyPathSent();
                int sibling = paths.livingSibling(pathId);
                if (sibling >= 0) {
                    paths.route(frame, sibling);
                    return packets.writeAck(frame.buffer(), receiver, pathId, receiveLevel, nowNs);
                }
            }
        }
        return 0;
    }
}
