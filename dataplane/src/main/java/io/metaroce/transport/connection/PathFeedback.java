// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.PathCounter;
import io.metaroce.transport.path.CongestedRounds;
import io.metaroce.transport.path.Path;
import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.Serial;

/** What ACKs tell of congestion on one path: growth of the peer's counters, for the window and for the choice of the way. */
final class PathFeedback {
    /** Queueing shorter than this part of the timeout floor is no sign of congestion. */
    private static final int QUEUE_FLOORS = 8;

    private final Path path;
    private final ConnectionState connection;
    private final CongestedRounds rounds;
    private int peerReceived;
    private int peerMarked;
    private int peerDuplicates;
    private int sentAgainSinceDuplicate;
    private boolean hasRoundEnded;

    PathFeedback(Path path, ConnectionState connection) {
        this.path = path;
        this.connection = connection;
        this.rounds = new CongestedRounds(connection.settings.limits().timeoutFloorNs() / QUEUE_FLOORS);
    }

    /** How the path's last round trips went. */
    CongestedRounds rounds() {
        return rounds;
    }

    /** Whether a round trip has ended since this was asked last. */
    boolean takeRoundEnded() {
        boolean hasEnded = hasRoundEnded;
        hasRoundEnded = false;
        return hasEnded;
    }

    void onSample(long sampleNs) {
        rounds.onSample(sampleNs);
        path.congestion().onRoundTrip(sampleNs, path.roundTrip().leastNs());
        connection.onBaseRoundTrip(path.plane(), path.roundTrip().leastNs());
    }

    /** Packets were found lost: the controller judges them over the whole connection (MOP-CC-6, MOP-CC-21). */
    void onLost(int packets, long nowNs) {
        if (packets > 0) {
            path.congestion().onLost(packets, nowNs);
        }
    }

    /** Takes what is new in an ACK's counters (MOP-CC-4). */
    void onAck(AckFlyweight ack, long acknowledgedBytes, long nowNs) {
        int packets = ack.receivedPackets() - peerReceived;
        if (packets < 0) {
            packets = 0;
        } else {
            peerReceived = ack.receivedPackets();
        }
        int marked = Serial.distance16(ack.cePackets(), peerMarked);
        if (marked > packets) {
            marked = 0;
        } else {
            peerMarked = ack.cePackets();
        }
        if (marked > 0) {
            connection.counters().paths().add(PathCounter.TX_CE_MARKED.of(path.id()), marked);
        }
        if (packets > 0 || acknowledgedBytes > 0) {
            long roundTripNs = path.roundTrip().isKnown() ? path.roundTrip().smoothedNs() : 0;
            path.congestion().onAcknowledged(acknowledgedBytes, packets, marked, roundTripNs, nowNs);
            // What all paths of the plane share, no other way would avoid (MOP-CC-20).
            int ownMarked = path.congestion().isSharedCongestion() ? 0 : marked;
            hasRoundEnded |= rounds.onReceived(
                    packets, ownMarked, roundTripNs, path.roundTrip().leastNs(), nowNs);
        }
    }

    /** A packet of the path was sent again. */
    void onSentAgain() {
        sentAgainSinceDuplicate++;
    }

    /** Takes the peer's count of duplicates; returns whether a retransmission of ours was needless (MOP-LOSS-13). */
    boolean onDuplicates(int duplicates) {
        int more = Serial.distance16(duplicates, peerDuplicates);
        if (more == 0 || more >= 1 << 15) {
            return false;
        }
        peerDuplicates = duplicates;
        boolean isOurs = sentAgainSinceDuplicate > 0;
        if (isOurs) {
            connection.count(ConnectionCounter.SPURIOUS_RETRANSMITS, Math.min(more, sentAgainSinceDuplicate));
        }
        sentAgainSinceDuplicate = 0;
        return isOurs;
    }

    void onNewEpoch() {
        peerDuplicates = 0;
        sentAgainSinceDuplicate = 0;
        peerReceived = 0;
        peerMarked = 0;
        hasRoundEnded = false;
        rounds.onNewWay();
    }
}
