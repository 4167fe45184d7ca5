// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.ConnectionCounters;
import io.metaroce.queue.CompletionOpcode;
import io.metaroce.queue.CompletionSlot;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.queue.ReceiveSlot;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.SlotRing;
import io.metaroce.queue.WorkRequestOpcode;
import io.metaroce.queue.WorkRequestSlot;
import io.metaroce.transport.connection.Arrival;
import io.metaroce.transport.connection.Connection;
import io.metaroce.transport.connection.ConnectionListener;
import io.metaroce.transport.connection.LossReason;
import io.metaroce.transport.connection.TransmitFrame;
import io.metaroce.transport.stream.StreamSettings;
import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.ParseResult;
import java.util.ArrayDeque;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/** The daemon's connection at a simulated host: the very class, with one stream and an application behind it. */
public final class MopEndpoint implements Endpoint, ConnectionListener {
    /** Bytes in which every header fits. */
    private static final int HEADERS_BYTES = DataFlyweight.LENGTH + 32;

    private static final int REQUESTS_OF_A_TURN = 64;

    private final MopWorld world;
    private final PacketPool pool;
    private final Connection connection;
    private final ConnectionCounters counters;
    private final long[] peerAddresses;
    private final EndpointListener listener;
    private final SlotRing sendRing;
    private final SlotRing receiveRing;
    private final SlotRing sendCompletions;
    private final SlotRing receiveCompletions;
    private final ArrayDeque<Posted> waiting = new ArrayDeque<>();
    private boolean isReceiving;
    private boolean hasArrived;

    private record Posted(long bytes, int tag, boolean isTold) {}

    /** What all endpoints of a fabric share, since only one acts at a time: scratch memory, parser, views. */
    MopEndpoint(MopWorld world, MopSettings settings, long[] peerAddresses, EndpointListener listener) {
        this.world = world;
        this.pool = world.pool();
        this.peerAddresses = peerAddresses;
        this.listener = listener;
        this.counters = world.newCounters(settings.connection().paths());
        this.sendRing = world.newRing(settings.ringSlots());
        this.receiveRing = world.newRing(settings.ringSlots());
        this.sendCompletions = world.newRing(settings.ringSlots());
        this.receiveCompletions = world.newRing(settings.ringSlots());
        this.isReceiving = settings.isReceiving();
        this.connection = new Connection(
                settings.connection(), world.memory(), settings.congestion(), this, counters, world.crc());
        connection.openStream(new StreamSettings(
                0, 1, MopWorld.PROTECTION_DOMAIN, sendRing, receiveRing, sendCompletions, receiveCompletions));
    }

    public Connection connection() {
        return connection;
    }

    public long count(ConnectionCounter counter) {
        return counters.get(counter);
    }

    public ConnectionCounters counters() {
        return counters;
    }

    @Override
    public void post(long bytes, int tag, boolean isTold) {
        waiting.addLast(new Posted(bytes, tag, isTold));
    }

    @Override
    public void onPacket(int packet, long nowNs) {
        UnsafeBuffer view = world.look(packet);
        PacketView parsed = world.parsed;
        if (world.parser.parse(view, 0, pool.length(packet), parsed) != ParseResult.OK
                || parsed.connectionId() != connection.localId()) {
            listener.onFailed("a packet that cannot be read", nowNs);
            return;
        }
        Arrival arrival = world.arrival;
        int plane = pool.plane(packet);
        arrival.set(plane, 0, peerAddresses[plane], pool.ecn(packet), 0);
        connection.onPacket(parsed, arrival, nowNs);
        hasArrived = true;
    }

    @Override
    public void onTurn(long nowNs) {
        if (hasArrived) {
            hasArrived = false;
            connection.onReceiveTurnEnd();
        }
        if (connection.nextDeadlineNs() <= nowNs) {
            connection.onTimer(nowNs);
        }
        restock();
        fill();
        connection.onWorkRequests(REQUESTS_OF_A_TURN, nowNs);
        takeCompletions(nowNs);
    }

    @Override
    public int poll(long nowNs) {
        TransmitFrame frame = world.frame;
        frame.wrap(world.scratchAddress(), MopWorld.SCRATCH_BYTES);
        int length = connection.pollTransmit(frame, nowNs);
        if (length == 0) {
            return PacketPool.NONE;
        }
        int packet = pool.claim();
        int kept = length <= pool.keptBytes() ? length : HEADERS_BYTES;
        UnsafeApi.copyMemory(world.scratchAddress(), pool.bytesAddress(packet), kept);
        // A PROBE proves what was sent before it on its path, so it must never overtake DATA there.
        int type = UnsafeApi.getByte(world.scratchAddress()) & 0xf;
        boolean isData = type == PacketType.DATA.code() || type == PacketType.PROBE.code();
        pool.describe(
                packet, length, isData ? PacketPool.DATA : PacketPool.CONTROL, frame.sourcePortIndex(), frame.plane());
        return packet;
    }

    @Override
    public long nextDeadlineNs() {
        return connection.nextDeadlineNs();
    }

    @Override
    public void onPlane(int plane, boolean isUp, long nowNs) {
        connection.onPlaneLink(plane, isUp, nowNs);
    }

    @Override
    public void onLost(int connectionId, LossReason reason) {
        listener.onFailed("connection lost: " + reason.meaning(), 0);
    }

    @Override
    public void onStreamFailed(int connectionId, int streamId, CompletionStatus status) {
        listener.onFailed("stream failed: " + status, 0);
    }

    private void restock() {
        ReceiveSlot receive = world.receive;
        while (isReceiving && receiveRing.canProduce()) {
            receiveRing.claim(receive);
            receive.id(0);
            receive.local(MopWorld.KEY, MopWorld.REGION_ADDRESS, 0);
            receiveRing.publish();
        }
    }

    private void fill() {
        WorkRequestSlot request = world.request;
        while (!waiting.isEmpty() && sendRing.canProduce()) {
            Posted posted = waiting.removeFirst();
            sendRing.claim(request);
            request.id(posted.tag);
            request.opcode(posted.isTold ? WorkRequestOpcode.RDMA_WRITE_WITH_IMM : WorkRequestOpcode.RDMA_WRITE);
            request.flags(SendFlags.SIGNALED);
            request.local(MopWorld.KEY, MopWorld.REGION_ADDRESS, posted.bytes);
            request.remote(MopWorld.KEY, MopWorld.REGION_ADDRESS);
            request.immediate(posted.tag);
            sendRing.publish();
        }
    }

    private void takeCompletions(long nowNs) {
        CompletionSlot completion = world.completion;
        while (sendCompletions.available() > 0) {
            sendCompletions.peek(completion);
            int tag = (int) completion.id();
            CompletionStatus status = completion.status();
            sendCompletions.release();
            if (status == CompletionStatus.SUCCESS) {
                listener.onSent(tag, nowNs);
            } else {
                listener.onFailed("message " + tag + " completed as " + status, nowNs);
            }
        }
        while (receiveCompletions.available() > 0) {
            receiveCompletions.peek(completion);
            int tag = completion.immediate();
            boolean isMessage = completion.status() == CompletionStatus.SUCCESS
                    && completion.opcode() == CompletionOpcode.RECEIVE_RDMA_WITH_IMM;
            receiveCompletions.release();
            if (isMessage) {
                listener.onReceived(tag, nowNs);
            }
        }
    }
}
