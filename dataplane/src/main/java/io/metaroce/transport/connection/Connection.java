// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.ConnectionCounters;
import io.metaroce.memory.MemoryRegionTable;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.transport.congestion.CongestionControlFactory;
import io.metaroce.transport.stream.CreditRequests;
import io.metaroce.transport.stream.Stream;
import io.metaroce.transport.stream.StreamSettings;
import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.Crc32c;
import io.metaroce.wire.CreditFlyweight;
import io.metaroce.wire.PacketView;
import org.jspecify.annotations.Nullable;

/**
 * One host pair's paths and streams: the only type of the transport that a lane, the simulator or a replay calls. It owns
 * the order of things and decides nothing itself.
 *
 * <p>Inputs are {@code on...}, called with the present time; afterwards {@link #pollTransmit} gives packets until it gives
 * none, and {@link #nextDeadlineNs} says when to come back. Single-threaded.
 */
public final class Connection {
    private final ConnectionState state;
    private final MemoryRegionTable memory;
    private final PathGroup paths;
    private final Reception reception;
    private final Transmission transmission;
    private final Acknowledgements acknowledgements;
    private final ControlPackets controlPackets;
    private final DataPackets dataPackets;
    private boolean isOpen;

    public Connection(
            ConnectionSettings settings,
            MemoryRegionTable memory,
            CongestionControlFactory congestion,
            ConnectionListener listener,
            ConnectionCounters counters) {
        this(settings, memory, congestion, listener, counters, new Crc32c());
    }

    /**
     * @param crc seals every packet; {@link Crc32c#countedOnly} where payload is not carried
     */
    public Connection(
            ConnectionSettings settings,
            MemoryRegionTable memory,
            CongestionControlFactory congestion,
            ConnectionListener listener,
            ConnectionCounters counters,
            Crc32c crc) {
        SettingsCheck.check(settings, counters);
        this.memory = memory;
        this.state = new ConnectionState(settings, congestion, listener, counters);
        this.controlPackets = new ControlPackets(state, crc);
        this.dataPackets = new DataPackets(state, crc);
        this.reception = new Reception(state, settings.paths());
        PathSender[] senders = PathGroup.newSenders(state);
        this.transmission = new Transmission(state, senders, dataPackets);
        this.paths = new PathGroup(state, senders, transmission, controlPackets);
        this.acknowledgements = new Acknowledgements(state, reception, paths, controlPackets);
    }

    /** The id that packets to us carry. */
    public int localId() {
        return state.settings.localId();
    }

    /** Starts: paths open and prove the payload size (MOP-PATH). */
    public void open(long nowNs) {
        isOpen = true;
        state.onHeard(nowNs);
        paths.open(nowNs);
    }

    /** Adds a stream whose number both sides agreed on; false when a bound is reached or the number is taken. */
    public boolean openStream(StreamSettings stream) {
        return !state.isLost()
                && state.streams.add(new Stream(stream, state.settings.messageWindow(), memory, state.tally));
    }

    /** Flushes a stream's requests and forgets it once the last completion is delivered. */
    public void closeStream(int streamId) {
        Stream stream = state.streams.byId(streamId);
        if (stream != null) {
            stream.close();
        }
    }

    /** Ends the connection: every pending request completes as flushed. */
    public void close() {
        state.lose(LossReason.CLOSED);
        closeStreams();
    }

    /** Takes one parsed packet whose connection id is ours. */
    public void onPacket(PacketView packet, Arrival arrival, long nowNs) {
        if (state.isLost()) {
            return;
        }
        // MOP-RCV-5, MOP-ENC-18: the source port is not asked
        if (!isPeer(arrival)) {
            state.count(ConnectionCounter.RX_DROPPED_WRONG_SOURCE_ADDRESS);
            return;
        }
        state.count(ConnectionCounter.RX_PACKETS);
        state.count(ConnectionCounter.RX_BYTES, packet.packetBytes());
        controlPackets.onReceiveLevel(arrival.receiveLevel);
        switch (packet.type()) {
            // MOP-RCV-1: in the order of arrival
            case DATA -> {
                state.onHeard(nowNs);
                reception.onData(packet, arrival, nowNs);
            }
            case ACK -> onAck(packet.ack(), nowNs);
            case PROBE -> {
                if (reception.onProbe(packet.probe(), paths, nowNs)) {
                    paths.changeAckEntropy(packet.probe().pathId());
                }
                paths.onPeerProbe(packet.probe().pathId());
            }
            case CREDIT -> {
                state.onHeard(nowNs);
                onCredit(packet.credit());
            }
            case CREDIT_REQUEST -> onCreditRequest(packet.creditRequest().streamId());
            case PLANE_STATUS ->
                paths.onPeerPlanes(
                        packet.planeStatus().sequence(), packet.planeStatus().planes(), nowNs);
        }
        if (state.isLost()) {
            closeStreams();
        }
    }

    /** The receive turn is over: acknowledgements of what arrived fall due (MOP-LOSS). */
    public void onReceiveTurnEnd() {
        reception.onReceiveTurnEnd();
        deliverCompletions();
    }

    /** Takes posted work requests from the rings and delivers completions; returns how much it did. */
    public int onWorkRequests(int limit, long nowNs) {
        int work = 0;
        long waitingBytes = 0;
        controlPackets.onTurn();
        StreamTable streams = state.streams;
        for (int slot = 0; slot < streams.slots(); slot++) {
            Stream stream = streams.at(slot);
            if (stream != null) {
                work += stream.onWorkRequests(limit - work);
                streams.onTurn(slot, stream);
                waitingBytes += stream.requester().waitingBytes();
                stream.creditRequests().onTurn(stream.requester().isBlockedByCredit(), paths.roundTripNs(), nowNs);
            }
        }
        dataPackets.backlogBytes(waitingBytes);
        paths.onTurn(nowNs);
        return work + deliverCompletions();
    }

    /** The deadline passed that {@link #nextDeadlineNs} gave; early calls are harmless. */
    public void onTimer(long nowNs) {
        if (!isOpen || state.isLost()) {
            return;
        }
        controlPackets.onTurn();
        paths.onTimer(nowNs);
        for (int slot = 0; slot < state.streams.slots(); slot++) {
            Stream stream = state.streams.at(slot);
            if (stream != null) {
                judgePatience(stream, nowNs);
            }
        }
        if (state.isLost()) {
            closeStreams();
        }
    }

    /** The owner's loop stood still for so long; all deadlines move by as much. Call after draining receive. */
    public void onStall(long stallNs) {
        // MOP-LOSS-25
        paths.onStall(stallNs);
        for (int slot = 0; slot < state.streams.slots(); slot++) {
            Stream stream = state.streams.at(slot);
            if (stream != null) {
                stream.creditRequests().onStall(stallNs);
            }
        }
    }

    /** The local link of a plane went up or down. */
    public void onPlaneLink(int plane, boolean isUp, long nowNs) {
        if (!state.isLost()) {
            paths.onLocalPlane(plane, isUp, nowNs);
        }
    }

    /**
     * The peer said, outside of the packets, which of its planes it can use: bit i for plane i.
     *
     * @param sequence shared with the packets that say so; one that is not later than the last counts for nothing
     */
    public void onPeerPlanes(int sequence, int usable, long nowNs) {
        if (!state.isLost()) {
            paths.onPeerPlanes(sequence, usable, nowNs);
        }
    }

    /** When {@link #onTimer} must be called at latest; {@link Long#MAX_VALUE} if never. */
    public long nextDeadlineNs() {
        if (!isOpen || state.isLost()) {
            return Long.MAX_VALUE;
        }
        long deadlineNs = Math.min(paths.nextDeadlineNs(), transmission.nextBurstNs());
        for (int slot = 0; slot < state.streams.slots(); slot++) {
            Stream stream = state.streams.at(slot);
            if (stream != null) {
                deadlineNs = Math.min(deadlineNs, stream.creditRequests().nextDeadlineNs());
            }
        }
        return deadlineNs;
    }

    /**
     * Writes the next packet, if there is one to send now: acknowledgements, probes, credit, then data.
     *
     * @return its length in bytes; 0 when there is nothing to say
     */
    public int pollTransmit(TransmitFrame frame, long nowNs) {
        if (!isOpen || state.isLost()) {
            return 0;
        }
        int length = acknowledgements.poll(frame, nowNs);
        if (length == 0) {
            length = paths.pollProbe(frame, nowNs);
        }
        if (length == 0) {
            length = pollCredit(frame, nowNs);
        }
        if (length == 0) {
            length = paths.pollAnnouncement(frame, nowNs);
        }
        if (length == 0) {
            length = transmission.poll(frame, nowNs);
        }
        if (length == 0 && transmission.isDry()) {
            length = paths.pollTailProbe(frame, nowNs);
        }
        if (length > 0) {
            state.count(ConnectionCounter.TX_PACKETS);
            state.count(ConnectionCounter.TX_BYTES, length);
        }
        return length;
    }

    /** Writes the gauges: windows, round trips, states. Cheap enough for once a millisecond, not for every packet. */
    public void updateGauges() {
        paths.updateGauges();
        state.publishRates();
        state.gauge(ConnectionCounter.IN_FLIGHT_BYTES, transmission.inFlightBytes());
        state.gauge(ConnectionCounter.STREAMS, state.streams.count());
        state.gauge(ConnectionCounter.BACKLOG_BYTES, dataPackets.backlogBytes());
        state.publishTally();
    }

    /** Bytes that may be in flight over all paths now, as the congestion controller has it. */
    public long windowBytes(long nowNs) {
        return state.congestion.windowBytes(nowNs);
    }

    /** What may go out over all planes, in Mbit/s: the window in each base round trip, or less where the peer's hint paces. */
    public long rateMbps(long nowNs) {
        return state.congestion.rateMbps(nowNs);
    }

    /** Our share of the peer's inbound rate over all planes, in Mbit/s; 0 while no hint of it is in force. */
    public long hintMbps(long nowNs) {
        return state.congestion.hintMbps(nowNs);
    }

    /** Payload of a full packet in bytes; 0 until proven. */
    public int payloadBytes() {
        return state.payloadBytes();
    }

    /** Why the connection ended; null while it lives. */
    public @Nullable LossReason lossReason() {
        return state.lossReason();
    }

    /** Lost or closed, and every completion delivered: the owner may forget it. */
    public boolean isFinished() {
        return state.isLost() && state.streams.count() == 0;
    }

    private boolean isPeer(Arrival arrival) {
        for (int i = 0; i < state.settings.planes().size(); i++) {
            ConnectionSettings.Plane plane = state.settings.planes().get(i);
            if (plane.addressHigh() == arrival.addressHigh && plane.addressLow() == arrival.addressLow) {
                return true;
            }
        }
        return false;
    }

    private void onAck(AckFlyweight ack, long nowNs) {
        if (!paths.accepts(ack)) {
            return;
        }
        // MOP-PATH-29: a PROBE or an announcement of the peer says only that it talks, not that it hears
        state.onHeard(nowNs);
        state.count(ConnectionCounter.RX_ACKS);
        state.onPeerErrorsIssued(ack.errorsIssued());
        state.sent.onPeerNext(ack.nextConnectionSequence());
        if (ack.hasFlag(AckFlyweight.FLAG_CREDIT)) {
            onCredit(ack.creditStream(), ack.creditLimit());
        }
        paths.onAck(ack, nowNs);
    }

    private void onCredit(CreditFlyweight credit) {
        state.count(ConnectionCounter.RX_CREDITS);
        for (int entry = 0; entry < credit.entries(); entry++) {
            onCredit(credit.streamId(entry), credit.limit(entry));
        }
    }

    private void onCredit(int streamId, int limit) {
        Stream stream = state.streams.byId(streamId);
        if (stream == null) {
            return;
        }
        stream.creditRequests().onAnswer();
        state.streams.onAnyReady();
        if (stream.requester().onCredit(limit)) {
            stream.creditRequests().onCredit();
        }
    }

    private void onCreditRequest(int streamId) {
        state.count(ConnectionCounter.RX_CREDIT_REQUESTS);
        Stream stream = state.streams.byId(streamId);
        if (stream != null) {
            // MOP-STR-35
            stream.onCreditRequest();
        }
    }

    private int pollCredit(TransmitFrame frame, long nowNs) {
        paths.routeByLivingPath(frame);
        int length = controlPackets.writeCredit(frame.buffer());
        return length == 0 ? controlPackets.writeCreditRequest(frame.buffer(), nowNs) : length;
    }

    private void judgePatience(Stream stream, long nowNs) {
        CreditRequests requests = stream.creditRequests();
        ConnectionSettings.Limits limits = state.settings.limits();
        long patienceNs = requests.isAnswered() ? limits.receiverNotReadyTimeoutNs() : limits.connectionTimeoutNs();
        // MOP-STR-36
        if (requests.isExhausted(patienceNs, nowNs)) {
            state.failStream(
                    stream,
                    requests.isAnswered()
                            ? CompletionStatus.RECEIVER_NOT_READY_RETRY_EXCEEDED
                            : CompletionStatus.TRANSPORT_RETRY_EXCEEDED);
            requests.onCredit();
        }
    }

    private int deliverCompletions() {
        StreamTable streams = state.streams;
        int delivered = 0;
        boolean isSuccessCertain = state.isSuccessCertain();
        for (int slot = 0; slot < streams.slots(); slot++) {
            Stream stream = streams.at(slot);
            if (stream != null) {
                delivered += stream.deliverCompletions(isSuccessCertain);
                // MOP-STR-41
                if (stream.isFinished()) {
                    streams.remove(slot);
                    state.onStreamClosed(stream);
                }
            }
        }
        return delivered;
    }

    private void closeStreams() {
        for (int slot = 0; slot < state.streams.slots(); slot++) {
            Stream stream = state.streams.at(slot);
            if (stream != null) {
                stream.close();
            }
        }
    }
}
