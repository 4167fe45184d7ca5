// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.wire.AckFlyweight;

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

    Acknowledgements(ConnectionState connection, Reception reception, PathGroup paths, ControlPackets packets) {
        this.connection = connection;
        this.reception = reception;
        this.paths = paths;
        this.packets = packets;
    }

    /** Writes the next ACK that is due; 0 if none is. */
    int poll(TransmitFrame frame, long nowNs) {
        int count = connection.settings.paths();
        for (int i = 0; i < count; i++) {
            int pathId = turn + i < count ? turn + i : turn + i - count;
            EpochReceiver receiver = reception.path(pathId).due();
            if (receiver == null) {
                continue;
            }
            // MOP-RCV-25
            if (receiver.isAckDue()) {
                turn = pathId;
                // MOP-RCV-22
                paths.routeAck(frame, pathId);
                int length = packets.writeAck(frame.buffer(), receiver, 0, pathId, nowNs);
                // MOP-RCV-24
                receiver.onAckSent();
                return length;
            }
            receiver.onAnyPathSent();
            int sibling = latestSibling(pathId);
            if (sibling >= 0) {
                paths.routeAck(frame, sibling);
                return packets.writeAck(frame.buffer(), receiver, AckFlyweight.FLAG_DETOUR, pathId, nowNs);
            }
        }
        return pollShare(frame, nowNs);
    }

    /** A share that changed much is told unasked, on the path of its plane that was heard last (MOP-CC-26). */
    private int pollShare(TransmitFrame frame, long nowNs) {
        int planes = connection.inbound.length;
        for (int plane = 0; plane < planes; plane++) {
            if (!connection.inbound[plane].isPushDue()) {
                continue;
            }
            int latest = plane;
            for (int pathId = plane + planes; pathId < connection.settings.paths(); pathId += planes) {
                if (reception.path(pathId).arrivalNs() > reception.path(latest).arrivalNs()) {
                    latest = pathId;
                }
            }
            paths.route(frame, latest);
            EpochReceiver receiver = reception.path(latest).current();
            int length = packets.writeAck(frame.buffer(), receiver, 0, latest, nowNs);
            receiver.onAckSent();
            return length;
        }
        return 0;
    }

    /** The other path on which a packet arrived most recently, on another plane if there is one (MOP-RCV-23); else -1. */
    private int latestSibling(int pathId) {
        int planes = connection.settings.planes().size();
        int latest = -1;
        for (int candidate = 0; candidate < connection.settings.paths(); candidate++) {
            if (candidate == pathId || reception.path(candidate).arrivalNs() == 0) {
                continue;
            }
            if (latest < 0 || isBetter(candidate, latest, pathId % planes, planes)) {
                latest = candidate;
            }
        }
        return latest;
    }

    private boolean isBetter(int candidate, int than, int plane, int planes) {
        boolean candidateIsApart = candidate % planes != plane;
        boolean thanIsApart = than % planes != plane;
        if (candidateIsApart != thanIsApart) {
            return candidateIsApart;
        }
        return reception.path(candidate).arrivalNs() > reception.path(than).arrivalNs();
    }
}
