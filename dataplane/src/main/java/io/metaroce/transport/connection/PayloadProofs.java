// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.transport.path.PathReason;
import io.metaroce.transport.path.PathState;
import io.metaroce.wire.AckFlyweight;

/**
 * The proof of every plane's payload, on the plane's first path; the connection uses the least. A plane that stays silent
 * while another has been proven is left to revival and does not hold the connection back (MOP-PATH).
 */
final class PayloadProofs {
    /** Rounds after which a silent plane is no longer waited for. */
    private static final int SILENT_ROUNDS_MAX = 5;

    private final ConnectionState connection;
    private final PathSender[] paths;
    private final ControlPackets packets;
    private final PayloadProof[] proofs;
    private boolean isRunning;

    PayloadProofs(ConnectionState connection, PathSender[] paths, ControlPackets packets) {
        this.connection = connection;
        this.paths = paths;
        this.packets = packets;
        this.proofs = new PayloadProof[connection.settings.planes().size()];
        for (int plane = 0; plane < proofs.length; plane++) {
            proofs[plane] = new PayloadProof(connection.settings.payloadBytesMax());
        }
    }

    void open(long nowNs) {
        isRunning = true;
    }

    /** Writes the next probe of an unfinished proof; 0 if none is due. */
    int poll(TransmitFrame frame, long nowNs) {
        if (!isRunning) {
            return 0;
        }
        for (int plane = 0; plane < proofs.length; plane++) {
            PayloadProof proof = proofs[plane];
            PathSender path = paths[plane];
            if (proof.isProbeDue() && path.path.state() != PathState.DENIED) {
                frame.route(plane, connection.settings.planes().get(plane), path.path.sourcePortIndex());
                // MOP-PATH-4
                int packetBytes = proof.isNextPadded() ? ControlPackets.packetBytes(proof.payloadBytes()) : 0;
                int timestamp = path.path.nextTimestamp(nowNs);
                int length = packets.writeProbe(frame.buffer(), path.path, timestamp, packetBytes, false);
                long patienceNs = path.path
                        .roundTrip()
                        .timeoutNs(connection.settings.limits().timeoutFloorNs(), 0);
                proof.onProbeSent(timestamp, nowNs + patienceNs);
                return length;
            }
        }
        return 0;
    }

    void onAck(AckFlyweight ack) {
        if (isRunning && ack.pathId() < proofs.length) {
            proofs[ack.pathId()].onEcho(ack.echoedTimestamp());
            conclude();
        }
    }

    void onPeerProbe(int pathId) {
        if (isRunning && pathId < proofs.length) {
            proofs[pathId].onPeerProbe();
        }
    }

    void onTimer(long nowNs) {
        if (!isRunning) {
            return;
        }
        for (PayloadProof proof : proofs) {
            proof.onTimer(nowNs);
        }
        conclude();
    }

    long nextDeadlineNs() {
        long deadlineNs = Long.MAX_VALUE;
        if (isRunning) {
            for (PayloadProof proof : proofs) {
                deadlineNs = Math.min(deadlineNs, proof.nextDeadlineNs());
            }
        }
        return deadlineNs;
    }

    void onStall(long stallNs) {
        for (PayloadProof proof : proofs) {
            proof.onStall(stallNs);
        }
    }

    private void conclude() {
        int payloadBytes = Integer.MAX_VALUE;
        boolean areAllDecided = true;
        boolean isBlackHole = false;
        for (int plane = 0; plane < proofs.length; plane++) {
            PayloadProof proof = proofs[plane];
            if (proof.isProven()) {
                payloadBytes = Math.min(payloadBytes, proof.payloadBytes());
            } else if (proof.isBlackHole()) {
                isBlackHole = true;
            } else if (proof.tries() < SILENT_ROUNDS_MAX && paths[plane].path.state() != PathState.DENIED) {
                areAllDecided = false;
            }
        }
        // MOP-PATH-5
        if (!areAllDecided) {
            return;
        }
        if (payloadBytes < Integer.MAX_VALUE) {
            isRunning = false;
            connection.onPayloadProven(payloadBytes);
            openOtherPaths();
        } else if (isBlackHole) {
            // MOP-PATH-6
            connection.lose(LossReason.PAYLOAD_BLACK_HOLE);
        }
    }

    /** The rest of a proven plane's paths are probed at full size; those of a silent plane wait for revival (MOP-PATH-7). */
    private void openOtherPaths() {
        for (PathSender path : paths) {
            if (path.path.state() == PathState.OPENING) {
                path.demandProbe();
                if (!proofs[path.path.plane()].isProven()) {
                    connection.enter(path.path, PathState.PROBING, PathReason.TIMEOUTS);
                }
            }
        }
    }
}
