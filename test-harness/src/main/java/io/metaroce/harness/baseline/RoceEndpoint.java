// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.baseline;

import io.metaroce.harness.fabric.Endpoint;
import io.metaroce.harness.fabric.EndpointListener;
import io.metaroce.harness.fabric.Framing;
import io.metaroce.harness.fabric.PacketPool;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.agrona.UnsafeApi;
import org.agrona.collections.LongArrayList;

/**
 * A RoCEv2 reliable connection: one path, one sequence, in-order receiver, go-back-N by NAK or timeout, DCQCN.
 *
 * <pre>
 *   0 kind:8   1 marked:8   4 packet sequence:32   8 message's last packet:8   12 tag:32
 * </pre>
 */
final class RoceEndpoint implements Endpoint {
    private static final int DATA = 0;
    private static final int ACK = 1;
    private static final int NAK = 2;
    private static final int NOTIFICATION = 3;
    /** Base transport header, extended header, invariant check. */
    private static final int DATA_HEADER_BYTES = 12 + 16 + 4;

    private static final int ACK_BYTES = 12 + 4 + 4;
    private static final int ACK_EVERY = 16;
    private static final long NOTIFICATION_INTERVAL_NS = 50_000;
    private static final int SEQUENCE_AT = 4;
    private static final int LAST_AT = 8;
    private static final int TAG_AT = 12;

    private final RoceSettings settings;
    private final PacketPool pool;
    private final EndpointListener listener;
    private final Dcqcn dcqcn;
    private final int sourcePort;

    /** Messages posted and not all acknowledged, and the packet after each one's last. */
    private final ArrayDeque<Message> messages = new ArrayDeque<>();

    private final LongArrayList toTell = new LongArrayList();
    private long posted;
    private long next;
    private long acknowledged;
    private long highest;
    private long timeoutNs = Long.MAX_VALUE;
    private long nextSendNs;
    private long nextSendFraction;

    private long expected;
    private int unacknowledged;
    private boolean isAckDue;
    private boolean isNakDue;
    private boolean hasNaked;
    private boolean isNotificationDue;
    private long lastNotificationNs = Long.MIN_VALUE / 2;

    long firstSent;
    long retransmitted;
    long spurious;
    long timeouts;
    long arrivedBytes;

    private record Message(long firstPacket, long endPacket, long bytes, int tag, boolean isTold) {}

    RoceEndpoint(RoceSettings settings, PacketPool pool, EndpointListener listener, int sourcePort) {
        this.settings = settings;
        this.pool = pool;
        this.listener = listener;
        this.sourcePort = sourcePort;
        this.dcqcn = new Dcqcn(settings.lineRate());
    }

    double rate() {
        return dcqcn.rate();
    }

    @Override
    public void post(long bytes, int tag, boolean isTold) {
        long packets = Math.max(1, (bytes + settings.payloadBytes() - 1) / settings.payloadBytes());
        messages.addLast(new Message(posted, posted + packets, bytes, tag, isTold));
        posted += packets;
    }

    @Override
    public void onPacket(int packet, long nowNs) {
        long at = pool.bytesAddress(packet);
        long sequence = UnsafeApi.getInt(at + SEQUENCE_AT) & 0xffff_ffffL;
        switch (UnsafeApi.getByte(at)) {
            case DATA -> onData(packet, at, sequence, nowNs);
            case ACK -> onAcknowledged(sequence, nowNs);
            case NAK -> {
                onAcknowledged(sequence, nowNs);
                goBack();
            }
            default -> dcqcn.onNotification(nowNs);
        }
    }

    @Override
    public void onTurn(long nowNs) {
        dcqcn.onTimer(nowNs);
        if (timeoutNs <= nowNs) {
            timeouts++;
            goBack();
            timeoutNs = nowNs + settings.timeoutNs();
        }
        for (int i = 0; i < toTell.size(); i++) {
            listener.onReceived((int) toTell.getLong(i), nowNs);
        }
        toTell.clear();
        while (!messages.isEmpty() && messages.getFirst().endPacket <= acknowledged) {
            listener.onSent(messages.removeFirst().tag, nowNs);
        }
        isAckDue |= unacknowledged > 0;
    }

    @Override
    public int poll(long nowNs) {
        if (isNotificationDue) {
            isNotificationDue = false;
            return control(NOTIFICATION, 0);
        }
        if (isNakDue) {
            isNakDue = false;
            return control(NAK, expected);
        }
        if (isAckDue) {
            isAckDue = false;
            unacknowledged = 0;
            return control(ACK, expected);
        }
        boolean hasWindow = next - acknowledged < settings.windowPackets();
        return next < posted && hasWindow && nextSendNs <= nowNs ? data(nowNs) : PacketPool.NONE;
    }

    @Override
    public long nextDeadlineNs() {
        long deadlineNs = Math.min(timeoutNs, dcqcn.nextDeadlineNs());
        boolean isPaced = next < posted && next - acknowledged < settings.windowPackets();
        return isPaced ? Math.min(deadlineNs, nextSendNs) : deadlineNs;
    }

    private void onData(int packet, long at, long sequence, long nowNs) {
        if (pool.ecn(packet) == Framing.CE && nowNs - lastNotificationNs >= NOTIFICATION_INTERVAL_NS) {
            lastNotificationNs = nowNs;
            isNotificationDue = true;
        }
        if (sequence == expected) {
            expected++;
            hasNaked = false;
            arrivedBytes += pool.length(packet) - DATA_HEADER_BYTES;
            boolean isLast = UnsafeApi.getByte(at + LAST_AT) != 0;
            if (UnsafeApi.getByte(at + LAST_AT) == 2) {
                toTell.addLong(UnsafeApi.getInt(at + TAG_AT));
            }
            isAckDue |= ++unacknowledged >= ACK_EVERY || isLast;
        } else if (sequence > expected) {
            // One NAK for each gap; what follows is dropped until the gap is filled.
            isNakDue |= !hasNaked;
            hasNaked = true;
        } else {
            spurious++;
            isAckDue = true;
        }
    }

    private void onAcknowledged(long sequence, long nowNs) {
        if (sequence > acknowledged) {
            acknowledged = sequence;
            next = Math.max(next, acknowledged);
            timeoutNs = acknowledged < highest ? nowNs + settings.timeoutNs() : Long.MAX_VALUE;
        }
    }

    private void goBack() {
        next = acknowledged;
    }

    private int data(long nowNs) {
        Message message = messageOf(next);
        long index = next - message.firstPacket;
        int payload = (int) Math.min(settings.payloadBytes(), message.bytes - index * settings.payloadBytes());
        boolean isLast = next + 1 == message.endPacket;
        int packet = packet(DATA, next, payload + DATA_HEADER_BYTES);
        UnsafeApi.putByte(pool.bytesAddress(packet) + LAST_AT, (byte) (isLast ? message.isTold ? 2 : 1 : 0));
        UnsafeApi.putInt(pool.bytesAddress(packet) + TAG_AT, message.tag);
        if (next < highest) {
            retransmitted++;
        } else {
            firstSent++;
        }
        next++;
        highest = Math.max(highest, next);
        if (timeoutNs == Long.MAX_VALUE) {
            timeoutNs = nowNs + settings.timeoutNs();
        }
        int wireBytes = pool.wireBytes(packet);
        dcqcn.onSent(wireBytes);
        pace(wireBytes, nowNs);
        return packet;
    }

    /** In picoseconds below the nanosecond, so that no rate is rounded. */
    private void pace(int wireBytes, long nowNs) {
        if (dcqcn.rate() >= settings.lineRate()) {
            nextSendNs = nowNs;
            nextSendFraction = 0;
            return;
        }
        long gapPs = Math.round(wireBytes * 8e12 / dcqcn.rate()) + nextSendFraction;
        nextSendNs = Math.max(nowNs, nextSendNs) + gapPs / 1_000;
        nextSendFraction = gapPs % 1_000;
    }

    private Message messageOf(long packet) {
        Iterator<Message> oldestFirst = messages.iterator();
        Message message = oldestFirst.next();
        while (message.endPacket <= packet) {
            message = oldestFirst.next();
        }
        return message;
    }

    private int control(int kind, long sequence) {
        return packet(kind, sequence, ACK_BYTES);
    }

    private int packet(int kind, long sequence, int length) {
        int packet = pool.claim();
        pool.describe(packet, length, kind == DATA ? PacketPool.DATA : PacketPool.CONTROL, sourcePort, 0);
        long at = pool.bytesAddress(packet);
        UnsafeApi.putByte(at, (byte) kind);
        UnsafeApi.putInt(at + SEQUENCE_AT, (int) sequence);
        return packet;
    }
}
