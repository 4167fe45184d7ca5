// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.ConnectionCounters;
import io.metaroce.counters.PathCounter;
import io.metaroce.memory.MemoryCheck;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.transport.congestion.CongestionControlFactory;
import io.metaroce.transport.congestion.ConnectionControl;
import io.metaroce.transport.congestion.ConnectionShape;
import io.metaroce.transport.congestion.InboundFlow;
import io.metaroce.transport.path.EntropyPool;
import io.metaroce.transport.path.Path;
import io.metaroce.transport.path.PathReason;
import io.metaroce.transport.path.PathState;
import io.metaroce.transport.recovery.ConnectionSequences;
import io.metaroce.transport.recovery.SentPackets;
import io.metaroce.transport.recovery.SequenceWindow;
import io.metaroce.transport.stream.Stream;
import io.metaroce.transport.stream.StreamTally;
import io.metaroce.wire.Backlog;
import io.metaroce.wire.DataFlyweight;
import org.jspecify.annotations.Nullable;

/** What the parts of one connection share: its settings, streams, connection sequences, refusals, counters and fate. */
final class ConnectionState {
    private static final long BYTES_PER_MEGABIT = 125_000;

    final ConnectionSettings settings;
    final StreamTable streams;
    final ConnectionSequences sent;
    final SequenceWindow arrived;
    final EndedEpochs ended;
    /** One for each plane. */
    final EntropyPool[] entropies;

    final PendingErrors errors = new PendingErrors();
    final StreamTally tally = new StreamTally();
    final ConnectionControl congestion;
    /** Our side of the peer's congestion control: what arrives from it through each plane. */
    final InboundFlow[] inbound;

    private final ConnectionListener listener;
    private final ConnectionCounters counters;
    private int peerErrorsIssued;
    private int errorsReceived;
    private int payloadBytes;
    private long lastHeardNs;
    private @Nullable LossReason lossReason;

    ConnectionState(
            ConnectionSettings settings,
            CongestionControlFactory congestion,
            ConnectionListener listener,
            ConnectionCounters counters) {
        this.settings = settings;
        this.congestion = congestion.newConnectionControl(new ConnectionShape(
                ControlPackets.packetBytes(settings.payloadBytesMax()),
                settings.planes().size(),
                settings.paths(),
                settings.limits().initialWindowBytes(),
                (long) ControlPackets.packetBytes(settings.payloadBytesMax()) * SentPackets.WINDOW,
                settings.seed()));
        this.inbound = new InboundFlow[settings.planes().size()];
        for (int plane = 0; plane < inbound.length; plane++) {
            // A host is known by its address on the first plane, whatever it is called on the others.
            ConnectionSettings.Plane host = settings.planes().get(0);
            inbound[plane] = congestion.inboundShares().newFlow(plane, host.addressHigh(), host.addressLow());
        }
        this.listener = listener;
        this.counters = counters;
        this.streams = new StreamTable(settings.streamsMax());
        this.sent = new ConnectionSequences(settings.connectionWindowPackets());
        // MOP-SEC-8
        this.arrived = new SequenceWindow(settings.connectionWindowPackets());
        this.entropies = new EntropyPool[settings.planes().size()];
        for (int plane = 0; plane < entropies.length; plane++) {
            int sourcePorts = settings.planes().get(plane).sourcePorts();
            int first = (int) (settings.seed() >>> 32) + settings.paths();
            entropies[plane] = new EntropyPool(sourcePorts, settings.paths(), first);
        }
        this.ended = new EndedEpochs(settings.paths(), settings.planes().size());
    }

    void count(ConnectionCounter counter) {
        counters.connection().increment(counter.ordinal());
    }

    void count(ConnectionCounter counter, long amount) {
        counters.connection().add(counter.ordinal(), amount);
    }

    /** Copies what the streams did into the counters. */
    void publishTally() {
        gauge(ConnectionCounter.MESSAGES_SENT, tally.messagesSent());
        gauge(ConnectionCounter.MESSAGES_RECEIVED, tally.messagesReceived());
        gauge(ConnectionCounter.COMPLETIONS_SUCCESS, tally.succeeded());
        gauge(ConnectionCounter.COMPLETIONS_ERROR, tally.failed());
        gauge(ConnectionCounter.COMPLETIONS_FLUSHED, tally.flushed());
        gauge(ConnectionCounter.ACCESS_FAULTS_KEY, tally.accessFaults(MemoryCheck.UNKNOWN_KEY));
        gauge(ConnectionCounter.ACCESS_FAULTS_DOMAIN, tally.accessFaults(MemoryCheck.DOMAIN));
        gauge(ConnectionCounter.ACCESS_FAULTS_PERMISSION, tally.accessFaults(MemoryCheck.PERMISSION));
        gauge(ConnectionCounter.ACCESS_FAULTS_RANGE, tally.accessFaults(MemoryCheck.RANGE));
    }

    /** As of the last packet heard: between two packets nothing about them is news. */
    void publishRates() {
        long shareMbps = 0;
        for (InboundFlow flow : inbound) {
            shareMbps += flow.shareMbps();
        }
        gauge(ConnectionCounter.HINT_BYTES, congestion.hintMbps(lastHeardNs) * BYTES_PER_MEGABIT);
        gauge(ConnectionCounter.SHARE_BYTES, shareMbps * BYTES_PER_MEGABIT);
    }

    void gauge(ConnectionCounter counter, long value) {
        counters.connection().set(counter.ordinal(), value);
    }

    ConnectionCounters counters() {
        return counters;
    }

    /** Payload of a full packet; 0 until proven. */
    int payloadBytes() {
        return payloadBytes;
    }

    void onPayloadProven(int bytes) {
        payloadBytes = bytes;
        gauge(ConnectionCounter.PAYLOAD_BYTES, bytes);
        listener.onReady(settings.localId(), bytes);
    }

    boolean isReady() {
        return payloadBytes > 0;
    }

    /** Least round trip that any path of the plane has shown of late. */
    void onBaseRoundTrip(int plane, long baseNs) {
        inbound[plane].baseRoundTrip(baseNs);
    }

    /** A DATA packet arrived, whatever becomes of it: it used our inbound rate (MOP-CC-22). */
    void onInbound(int plane, int packetBytes, DataFlyweight data, long queueNs, long nowNs) {
        inbound[plane].onData(packetBytes, data.transmitCount() > 1, Backlog.decode(data.backlog()), queueNs, nowNs);
    }

    void onHeard(long nowNs) {
        lastHeardNs = nowNs;
    }

    long lastHeardNs() {
        return lastHeardNs;
    }

    void onStall(long stallNs) {
        // MOP-PATH-30
        lastHeardNs += stallNs;
    }

    void enter(Path path, PathState state, PathReason reason) {
        if (path.state() == state) {
            return;
        }
        path.enter(state);
        count(ConnectionCounter.PATH_TRANSITIONS);
        counters.paths().increment(PathCounter.TRANSITIONS.of(path.id()));
        listener.onPathChanged(settings.localId(), path.id(), state, reason);
    }

    void onPlanesAnnounced(int sequence, int usable) {
        listener.onPlanesAnnounced(settings.localId(), sequence, usable);
    }

    void failStream(Stream stream, CompletionStatus status) {
        if (!stream.isInError()) {
            count(ConnectionCounter.STREAMS_FAILED);
            listener.onStreamFailed(settings.localId(), stream.streamId(), status);
        }
        stream.fail(status);
    }

    /** A stream went to error by itself, in its responder or requester. */
    void onStreamFailed(Stream stream, CompletionStatus status) {
        count(ConnectionCounter.STREAMS_FAILED);
        listener.onStreamFailed(settings.localId(), stream.streamId(), status);
    }

    /** A stream is gone; of a lost connection's streams only its own end tells, lest a thousand of them flood the owner. */
    void onStreamClosed(Stream stream) {
        if (!isLost()) {
            listener.onStreamClosed(settings.localId(), stream.streamId());
        }
    }

    /** The peer's cumulative count of ERRORs, from any ACK: serial maximum. */
    void onPeerErrorsIssued(int errorsIssued) {
        int distance = (errorsIssued - peerErrorsIssued) & 0xff;
        if (distance > 0 && distance < 128) {
            peerErrorsIssued = errorsIssued;
        }
    }

    void onErrorReceived() {
        errorsReceived++;
        count(ConnectionCounter.ERRORS_RECEIVED);
    }

    /** Whether every refusal that the peer has issued has reached us: until then no success is certain (MOP-STR). */
    boolean isSuccessCertain() {
        // MOP-STR-12
        return (errorsReceived & 0xff) == peerErrorsIssued;
    }

    /** Whether the connection has ended; the reason is then known. */
    boolean isLost() {
        return lossReason != null;
    }

    @Nullable
    LossReason lossReason() {
        return lossReason;
    }

    /** Ends the connection: every pending request completes, none is forgotten. */
    void lose(LossReason reason) {
        if (lossReason != null) {
            return;
        }
        lossReason = reason;
        for (InboundFlow flow : inbound) {
            flow.leave();
        }
        CompletionStatus first =
                reason == LossReason.CLOSED ? CompletionStatus.FLUSHED : CompletionStatus.TRANSPORT_RETRY_EXCEEDED;
        for (int slot = 0; slot < streams.slots(); slot++) {
            Stream stream = streams.at(slot);
            if (stream != null) {
                stream.abandon(first);
            }
        }
        listener.onLost(settings.localId(), reason);
    }
}
