// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.ConnectionCounters;
import io.metaroce.counters.PathCounter;
import io.metaroce.transport.path.Path;
import io.metaroce.transport.path.PathState;
import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.Serial;

/** The paths of a connection as a family: opening and payload proof, probes, silence and death, planes, telemetry. */
final class PathGroup {
    private final ConnectionState connection;
    private final PathSender[] paths;
    private final Transmission transmission;
    private final PathFates fates;
    private final ControlPackets packets;
    private final PayloadProofs proofs;
    private final PlaneAnnouncements announcements;
    private int peerPlaneSequence;
    /** Since when data has waited that no path can carry. */
    private long stuckSinceNs = PathSender.NEVER;

    private int peerPlanes = -1;

    PathGroup(ConnectionState connection, PathSender[] paths, Transmission transmission, ControlPackets packets) {
        this.connection = connection;
        this.paths = paths;
        this.transmission = transmission;
        this.packets = packets;
        this.fates = new PathFates(connection, paths, transmission);
        this.proofs = new PayloadProofs(connection, paths, packets);
        this.announcements = new PlaneAnnouncements(connection.settings.planes().size());
    }

    /** Paths spread evenly over the planes: path i runs through plane i mod planes. */
    static PathSender[] newSenders(ConnectionState connection) {
        ConnectionSettings settings = connection.settings;
        PathSender[] senders = new PathSender[settings.paths()];
        for (int id = 0; id < senders.length; id++) {
            // MOP-PATH-1
            int plane = id % settings.planes().size();
            int firstSourcePort = (int) (settings.seed() >>> 32) + id;
            Path path = new Path(
                    id,
                    plane,
                    settings.planes().get(plane).sourcePorts(),
                    firstSourcePort,
                    connection.congestion.newPath(plane));
            senders[id] = new PathSender(path, connection);
        }
        return senders;
    }

    void open(long nowNs) {
        proofs.open(nowNs);
    }

    void onAck(AckFlyweight ack, long nowNs) {
        PathSender path = paths[ack.pathId()];
        if (connection.ended.isEnded(ack)) {
            connection.ended.onAck(ack, transmission);
            transmission.inFlightIsStale();
            return;
        }
        if (path.path.state() == PathState.DENIED) {
            return;
        }
        if (ack.hasFlag(AckFlyweight.FLAG_HINT)) {
            connection.congestion.onHint(path.path.plane(), ack.hintEpoch(), Integer.toUnsignedLong(ack.hint()), nowNs);
            transmission.onRate(path.path.plane(), Integer.toUnsignedLong(ack.hint()));
        }
        PathState before = path.path.state();
        boolean isNewAnswer = path.onAck(ack, transmission, nowNs);
        transmission.inFlightIsStale();
        proofs.onAck(ack);
        if (isNewAnswer) {
            fates.onAnswer(path, before == PathState.PROBING, nowNs);
        }
        if (path.feedback.takeRoundEnded()) {
            fates.onRound(path);
        }
    }

    /** A PROBE of the peer arrived on a path: whoever waits for the peer there need not wait longer. */
    void onPeerProbe(int pathId) {
        proofs.onPeerProbe(pathId);
    }

    /** Whether an ACK may be used at all; if not, the drop is counted and none of its fields counts (MOP-LOSS-27). */
    boolean accepts(AckFlyweight ack) {
        if (ack.pathId() >= paths.length) {
            connection.count(ConnectionCounter.RX_DROPPED_WRONG_PATH);
            return false;
        }
        PathSender path = paths[ack.pathId()];
        boolean isEnded = connection.ended.isEnded(ack);
        // MOP-LOSS-26
        if (!isEnded && (ack.epoch() != path.path.epoch() || path.isEpochOwed())) {
            connection.count(ConnectionCounter.RX_STALE_ACKS);
            return false;
        }
        boolean isPlausible = isEnded ? connection.ended.isPlausible(ack) : path.isPlausible(ack);
        if (!isPlausible || !connection.sent.isPlausible(ack.nextConnectionSequence())) {
            connection.count(ConnectionCounter.RX_DROPPED_BAD_ACKNOWLEDGEMENT);
            return false;
        }
        return true;
    }

    void onTimer(long nowNs) {
        fates.onTimer(nowNs);
        transmission.inFlightIsStale();
        proofs.onTimer(nowNs);
        // MOP-PATH-29
        if (nowNs - lossDeadlineNs() >= 0) {
            connection.lose(LossReason.TIMEOUT);
        }
    }

    /** Work was taken: if no path can carry it, the patience with the peer begins now (MOP-PATH-29). */
    void onTurn(long nowNs) {
        boolean isStuck = !isAnyLiving() && connection.streams.nextWithPacket() >= 0;
        if (!isStuck) {
            stuckSinceNs = PathSender.NEVER;
        } else if (stuckSinceNs == PathSender.NEVER) {
            stuckSinceNs = nowNs;
        }
    }

    private boolean isAnyLiving() {
        for (PathSender path : paths) {
            if (path.path.isLiving()) {
                return true;
            }
        }
        return false;
    }

    /** Writes the next probe that is due; 0 if none is. */
    int pollProbe(TransmitFrame frame, long nowNs) {
        int length = proofs.poll(frame, nowNs);
        if (length > 0) {
            return length;
        }
        for (PathSender path : paths) {
            boolean isLastOfItsWay = fates.wantsOtherWay(path, nowNs);
            if (path.isProbeDue() || isLastOfItsWay) {
                path.renewIfIdle(nowNs);
                route(frame, path.path.id());
                int timestamp = path.path.nextTimestamp(nowNs);
                length = packets.writeProbe(
                        frame.buffer(), path.path, timestamp, probeBytes(path), path.isAnyPathWanted());
                path.onProbeSent(nowNs);
                if (isLastOfItsWay) {
                    fates.changeWay(path, nowNs);
                }
                return length;
            }
        }
        return 0;
    }

    /** The connection has run dry: writes a probe for the tail of a path that has none yet; 0 if all have. */
    int pollTailProbe(TransmitFrame frame, long nowNs) {
        for (PathSender path : paths) {
            path.onRunDry();
        }
        return pollProbe(frame, nowNs);
    }

    void route(TransmitFrame frame, int pathId) {
        Path path = paths[pathId].path;
        frame.route(path.plane(), connection.settings.planes().get(path.plane()), path.sourcePortIndex());
    }

    /** For the ACKs of a path, which have an entropy of their own (MOP-PATH-18). */
    void routeAck(TransmitFrame frame, int pathId) {
        Path path = paths[pathId].path;
        frame.route(path.plane(), connection.settings.planes().get(path.plane()), path.ackSourcePortIndex());
    }

    /** The peer asks again and again on a path, as if our ACKs did not arrive: they take another way (MOP-PATH-19). */
    void changeAckEntropy(int pathId) {
        paths[pathId].path.changeAckEntropy();
    }

    /** Our own timeout on a path, for judging the peer's. */
    long timeoutNs(int pathId) {
        return paths[pathId].undoubledTimeoutNs();
    }

    /** For packets that belong to no path. */
    void routeByLivingPath(TransmitFrame frame) {
        int living = fates.livingSibling(-1);
        route(frame, Math.max(living, 0));
    }

    /** Round-trip time of some living path, for timers that belong to no path. */
    long roundTripNs() {
        return paths[Math.max(fates.livingSibling(-1), 0)].path.roundTrip().smoothedNs();
    }

    /** The peer's planes, said in a packet or on the control channel: the latest counts (MOP-PATH-23, MOP-CTL-18). */
    void onPeerPlanes(int sequence, int usable, long nowNs) {
        if (Serial.isAfter(sequence, peerPlaneSequence)) {
            peerPlaneSequence = sequence;
            peerPlanes = usable;
            applyPlanes(nowNs);
        }
    }

    /** The local link of a plane changed: the peer is told, and our own paths follow (MOP-PATH-22, MOP-PATH-24). */
    void onLocalPlane(int plane, boolean isUp, long nowNs) {
        boolean isOurs = plane < connection.settings.planes().size();
        if (isOurs && announcements.onChange(plane, isUp, nowNs, roundTripNs() + floorNs())) {
            applyPlanes(nowNs);
            connection.onPlanesAnnounced(announcements.sequence(), announcements.usable());
        }
    }

    /** A plane is usable only if it is at both ends. */
    private void applyPlanes(long nowNs) {
        int usable = announcements.usable() & peerPlanes;
        for (int plane = 0; plane < connection.settings.planes().size(); plane++) {
            fates.onPlane(plane, (usable & 1 << plane) != 0, nowNs);
        }
    }

    /** Writes the next announcement of our planes that is due; 0 if none is. */
    int pollAnnouncement(TransmitFrame frame, long nowNs) {
        int plane = announcements.nextPlane(nowNs);
        if (plane < 0) {
            return 0;
        }
        route(frame, plane);
        return packets.writePlaneStatus(frame.buffer(), announcements.sequence(), announcements.usable());
    }

    long nextDeadlineNs() {
        long deadlineNs = Math.min(proofs.nextDeadlineNs(), announcements.nextDeadlineNs());
        deadlineNs = Math.min(deadlineNs, connection.ended.nextDeadlineNs());
        for (PathSender path : paths) {
            deadlineNs = Math.min(deadlineNs, path.nextDeadlineNs());
        }
        return Math.min(deadlineNs, lossDeadlineNs());
    }

    /**
     * When the connection is lost if nothing is heard of the peer; {@link Long#MAX_VALUE} if nothing is awaited of it. Also
     * awaited are an ERROR that it announced, and a path for data that none can carry: then no path has a timer of its own.
     */
    private long lossDeadlineNs() {
        long sinceNs;
        if (transmission.isAwaiting() || !connection.isReady() || !connection.isSuccessCertain()) {
            sinceNs = transmission.awaitingSinceNs();
        } else if (stuckSinceNs != PathSender.NEVER) {
            sinceNs = stuckSinceNs;
        } else {
            return PathSender.NEVER;
        }
        return Math.max(connection.lastHeardNs(), sinceNs)
                + connection.settings.limits().connectionTimeoutNs();
    }

    void onStall(long stallNs) {
        connection.onStall(stallNs);
        transmission.onStall(stallNs);
        proofs.onStall(stallNs);
        connection.ended.onStall(stallNs);
        if (stuckSinceNs != PathSender.NEVER) {
            stuckSinceNs += stallNs;
        }
        for (PathSender path : paths) {
            path.onStall(stallNs);
        }
    }

    void updateGauges() {
        ConnectionCounters counters = connection.counters();
        long windowBytes = 0;
        for (PathSender sender : paths) {
            Path path = sender.path;
            int id = path.id();
            long leastNs = path.roundTrip().isKnown() ? path.roundTrip().leastNs() : 0;
            counters.paths().set(PathCounter.STATE.of(id), path.state().ordinal());
            counters.paths().set(PathCounter.PLANE.of(id), path.plane());
            counters.paths().set(PathCounter.EPOCH.of(id), path.epoch());
            counters.paths().set(PathCounter.SOURCE_PORT_INDEX.of(id), path.sourcePortIndex());
            counters.paths()
                    .set(
                            PathCounter.SRTT_NS.of(id),
                            path.roundTrip().isKnown() ? path.roundTrip().smoothedNs() : 0);
            counters.paths()
                    .set(PathCounter.RTT_VARIATION_NS.of(id), path.roundTrip().variationNs());
            counters.paths().set(PathCounter.RTT_MIN_NS.of(id), leastNs);
            counters.paths()
                    .set(PathCounter.WINDOW_BYTES.of(id), path.congestion().windowBytes());
            counters.paths().set(PathCounter.IN_FLIGHT_BYTES.of(id), sender.sent.inFlightBytes());
            windowBytes += path.congestion().windowBytes();
        }
        long allowedBytes = connection.congestion.windowBytes(connection.lastHeardNs());
        connection.gauge(ConnectionCounter.WINDOW_BYTES, Math.min(windowBytes, allowedBytes));
    }

    /** A path that is to be taken into service must carry full packets (MOP-PATH-7). */
    private int probeBytes(PathSender path) {
        PathState state = path.path.state();
        boolean isJoining = state == PathState.OPENING || state == PathState.PROBING;
        return isJoining && connection.isReady() ? ControlPackets.packetBytes(connection.payloadBytes()) : 0;
    }

    private long floorNs() {
        return connection.settings.limits().timeoutFloorNs();
    }
}
