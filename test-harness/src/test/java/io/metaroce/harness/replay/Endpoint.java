// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.ConnectionCounters;
import io.metaroce.link.LinkParser;
import io.metaroce.link.LinkResult;
import io.metaroce.link.LinkType;
import io.metaroce.link.LinkView;
import io.metaroce.memory.AccessFlags;
import io.metaroce.memory.MemoryKey;
import io.metaroce.memory.MemoryRegionTable;
import io.metaroce.queue.CompletionSlot;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.queue.ReceiveSlot;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.SlotRing;
import io.metaroce.queue.WorkRequestSlot;
import io.metaroce.transport.congestion.FixedWindow;
import io.metaroce.transport.connection.Arrival;
import io.metaroce.transport.connection.Connection;
import io.metaroce.transport.connection.ConnectionListener;
import io.metaroce.transport.connection.ConnectionSettings;
import io.metaroce.transport.connection.TransmitFrame;
import io.metaroce.transport.stream.StreamSettings;
import io.metaroce.wire.PacketParser;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.ParseResult;
import java.util.ArrayList;
import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** One end: a connection of the transport core with its memory and rings, fed with frames in virtual time. */
final class Endpoint {
    private static final int RING_SLOTS = 64;
    private static final int DOMAIN = 7;
    private static final int GUARD_BYTES = 4096;
    private static final byte POISON = 0x5a;
    private static final int LOCAL_KEY = MemoryKey.of(9, 0x77);

    /** A completion, as far as the plan can foretell it. */
    record Completion(int stream, boolean isOfReceive, CompletionStatus status, long length, int immediate) {}

    private final Connection connection;
    private final ConnectionCounters counters;
    private final UnsafeBuffer guarded = direct(Plan.REGION_BYTES + 2 * GUARD_BYTES);
    private final UnsafeBuffer region = new UnsafeBuffer(guarded, GUARD_BYTES, Plan.REGION_BYTES);
    private final UnsafeBuffer outbound = direct(PacketParser.PACKET_MAX);
    private final UnsafeBuffer inbound = direct(1 << 16);
    private final TransmitFrame frame = new TransmitFrame();
    private final LinkParser link = new LinkParser();
    private final LinkView linkView = new LinkView();
    private final PacketParser parser = new PacketParser();
    private final PacketView packet = new PacketView();
    private final Arrival arrival = new Arrival();
    /** Rings know addresses only; this keeps their memory from being collected. */
    private final List<UnsafeBuffer> ringMemory = new ArrayList<>();

    private final List<SlotRing> sendRings = new ArrayList<>();
    private final List<SlotRing> sendCompletions = new ArrayList<>();
    private final List<SlotRing> receiveCompletions = new ArrayList<>();
    private final List<Completion> completions = new ArrayList<>();
    private final CompletionSlot completion = new CompletionSlot();
    private final WorkRequestSlot request = new WorkRequestSlot();

    Endpoint(ConnectionSettings settings) {
        guarded.setMemory(0, GUARD_BYTES, POISON);
        guarded.setMemory(GUARD_BYTES + Plan.REGION_BYTES, GUARD_BYTES, POISON);
        MemoryRegionTable memory = new MemoryRegionTable();
        memory.install(LOCAL_KEY, region.addressOffset(), Plan.REGION_BYTES, AccessFlags.ALL, DOMAIN);
        memory.install(Plan.RKEY, region.addressOffset(), Plan.REGION_BYTES, AccessFlags.ALL, DOMAIN);
        counters = ConnectionCounters.inProcess(settings.paths());
        connection = new Connection(
                settings,
                memory,
                (packetBytes, initialBytes, limitBytes) -> new FixedWindow(16L * packetBytes),
                ConnectionListener.NONE,
                counters);
        frame.wrap(outbound.addressOffset(), PacketParser.PACKET_MAX);
        for (int stream = 0; stream < Plan.STREAMS; stream++) {
            SlotRing receives = ring();
            sendRings.add(ring());
            sendCompletions.add(ring());
            receiveCompletions.add(ring());
            postReceives(stream, receives);
            connection.openStream(new StreamSettings(
                    stream,
                    100 + stream,
                    DOMAIN,
                    sendRings.get(stream),
                    receives,
                    sendCompletions.get(stream),
                    receiveCompletions.get(stream)));
        }
    }

    Connection connection() {
        return connection;
    }

    long counted(ConnectionCounter counter) {
        return counters.get(counter);
    }

    DirectBuffer region() {
        return region;
    }

    List<Completion> completions() {
        return completions;
    }

    /** Puts a message of the plan into the memory of this end and posts it. */
    void post(int index, Plan plan) {
        Plan.Message message = plan.messages().get(index);
        region.putBytes(message.target(), plan.content(index));
        SlotRing ring = sendRings.get(message.stream());
        ring.claim(request);
        request.id(index);
        request.opcode(message.opcode());
        request.flags(SendFlags.SIGNALED);
        request.local(LOCAL_KEY, region.addressOffset() + message.target(), message.length());
        request.remote(Plan.RKEY, Plan.BASE + message.target());
        request.immediate(message.immediate());
        ring.publish();
    }

    /**
     * Takes one frame.
     *
     * @return the parsed packet, or null when the frame carries none for this end
     */
    @Nullable
    PacketView onFrame(LinkType type, UnsafeBuffer bytes, int length, long nowNs) {
        if (link.parse(type, bytes, 0, length, linkView) != LinkResult.OK) {
            return null;
        }
        inbound.putBytes(0, bytes, linkView.payloadOffset(), linkView.payloadLength());
        arrival.set(0, linkView.sourceHigh(), linkView.sourceLow(), linkView.ecn(), 0);
        return onPacket(linkView.payloadLength(), nowNs);
    }

    /** Takes the packet of a peer that breaks every rule but the checksum, without headers around it. */
    void onHostilePacket(UnsafeBuffer bytes, int length, Scenario scenario, long nowNs) {
        inbound.putBytes(0, bytes, 0, length);
        arrival.set(0, scenario.senderHigh(), scenario.senderLow(), 0, 0);
        onPacket(length, nowNs);
    }

    /** Whether the memory around the region is as it was. */
    boolean isGuardIntact() {
        for (int i = 0; i < GUARD_BYTES; i++) {
            if (guarded.getByte(i) != POISON || guarded.getByte(GUARD_BYTES + Plan.REGION_BYTES + i) != POISON) {
                return false;
            }
        }
        return true;
    }

    private @Nullable PacketView onPacket(int length, long nowNs) {
        if (parser.parse(inbound, 0, length, packet) != ParseResult.OK
                || packet.connectionId() != connection.localId()) {
            return null;
        }
        if (packet.type() == PacketType.DATA && packet.opcode().placesByAddress()) {
            packet.write().remoteAddress(packet.write().remoteAddress() - Plan.BASE + region.addressOffset());
        }
        connection.onPacket(packet, arrival, nowNs);
        return packet;
    }

    /** Ends a turn: timers, acknowledgements, work requests, completions. */
    void onTurnEnd(long nowNs) {
        connection.onReceiveTurnEnd();
        if (connection.nextDeadlineNs() <= nowNs) {
            connection.onTimer(nowNs);
        }
        connection.onWorkRequests(RING_SLOTS, nowNs);
        for (int stream = 0; stream < Plan.STREAMS; stream++) {
            drain(stream, false, sendCompletions.get(stream));
            drain(stream, true, receiveCompletions.get(stream));
        }
    }

    /** The next packet to send, in {@link #outbound}; 0 when there is none. */
    int poll(long nowNs) {
        return connection.pollTransmit(frame, nowNs);
    }

    UnsafeBuffer outbound() {
        return outbound;
    }

    TransmitFrame route() {
        return frame;
    }

    private void drain(int stream, boolean isOfReceive, SlotRing ring) {
        while (ring.available() > 0) {
            ring.peek(completion);
            boolean hasImmediate = (completion.flags() & CompletionSlot.FLAG_IMMEDIATE) != 0;
            completions.add(new Completion(
                    stream,
                    isOfReceive,
                    completion.status(),
                    completion.length(),
                    hasImmediate ? completion.immediate() : -1));
            ring.release();
        }
    }

    private void postReceives(int stream, SlotRing ring) {
        ReceiveSlot slot = new ReceiveSlot();
        for (int receive = 0; receive < Plan.RECEIVES_PER_STREAM; receive++) {
            ring.claim(slot);
            slot.id(receive);
            slot.local(LOCAL_KEY, region.addressOffset() + Plan.receiveOffset(stream, receive), Plan.RECEIVE_BYTES);
            ring.publish();
        }
    }

    private SlotRing ring() {
        int bytes = SlotRing.bytesFor(RING_SLOTS);
        UnsafeBuffer memory = direct(bytes);
        SlotRing.format(memory.addressOffset(), RING_SLOTS);
        ringMemory.add(memory);
        return new SlotRing(memory.addressOffset(), bytes);
    }

    private static UnsafeBuffer direct(int bytes) {
        return new UnsafeBuffer(BufferUtil.allocateDirectAligned(bytes, 64));
    }
}
