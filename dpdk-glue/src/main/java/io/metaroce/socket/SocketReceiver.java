// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import io.metaroce.port.Ecn;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PortCounter;
import io.metaroce.port.PortCounters;

/**
 * Receives bursts with recvmmsg into slots that are lent to the lane. Position {@code i} of the vector is armed with a free
 * slot; what packets have landed in goes to the burst and the position gets another. Runs out of slots -> fewer positions
 * are armed, and the packets wait in the kernel.
 *
 * <p>With receive offload a message is a run of datagrams of one sender, cut apart here; each of them holds the slot, and
 * what the burst has no room for waits for the next call:
 *
 * <pre>
 *   messages   [ done ][ segment | segment | segment ][ unread ][ unread ]
 *                                  ^ offset             received - next
 * </pre>
 */
final class SocketReceiver {
    private static final LibC LIB_C = LibCLoader.load();

    private final int fd;
    private final int localPort;
    private final int slotBytes;
    private final int frameBytesMax;
    private final SlotPool slots;
    private final PortCounters counters;
    private final MessageVector vector;
    private final int[] slotAt;
    private int armed;
    private int kernelDrops;
    /** Messages of the last call; those from {@link #next} on still hold packets. */
    private int received;

    private int next;
    /** Bytes of message {@code next} that have been taken already. */
    private int offset;

    /**
     * @param slotBytes room for one message
     * @param frameBytesMax longest packet that is taken
     */
    SocketReceiver(
            UdpSocket socket,
            MessageVector vector,
            SlotPool slots,
            int slotBytes,
            int frameBytesMax,
            PortCounters counters) {
        this.fd = socket.fd();
        this.localPort = socket.boundPort();
        this.slotBytes = slotBytes;
        this.frameBytesMax = frameBytesMax;
        this.slots = slots;
        this.counters = counters;
        this.vector = vector;
        this.slotAt = new int[vector.count()];
    }

    int localPort() {
        return localPort;
    }

    int receive(PacketBurst burst) {
        assert burst.isEmpty();
        if (next == received && !receiveMessages(burst.capacity())) {
            return 0;
        }
        long bytes = 0;
        while (next < received && burst.size() < burst.capacity()) {
            bytes += take(burst);
        }
        counters.add(PortCounter.RX_PACKETS, burst.size());
        counters.add(PortCounter.RX_BYTES, bytes);
        if (next == received) {
            closeGap(received);
        }
        return burst.size();
    }

    /** Asks the kernel for messages; whether there are any. */
    private boolean receiveMessages(int packetsWanted) {
        next = 0;
        received = 0;
        arm();
        int want = Math.min(armed, packetsWanted);
        if (want == 0) {
            counters.add(PortCounter.RX_NO_BUFFER, 1);
            return false;
        }
        int count = LIB_C.recvmmsg(fd, vector.address(0), want, NativeConstants.MSG_DONTWAIT, 0);
        if (count <= 0) {
            onNothing(count);
            return false;
        }
        received = count;
        return true;
    }

    /** Takes packets of the next message as long as the burst has room; returns their bytes. */
    private int take(PacketBurst burst) {
        int message = next;
        vector.readControl(message, kernelDrops);
        countKernelDrops();
        int length = vector.length(message);
        int segmentBytes = vector.segmentBytes() == 0 ? length : vector.segmentBytes();
        int bytes = 0;
        if (vector.isTruncated(message) || segmentBytes > frameBytesMax) {
            counters.add(PortCounter.RX_TRUNCATED, 1);
            offset = length;
        } else if (vector.isFragmented()) { // MOP-ENC-8
            counters.add(PortCounter.RX_FRAGMENTED, 1);
            offset = length;
        } else {
            bytes = takeSegments(burst, message, length, segmentBytes);
        }
        if (offset >= length) {
            slots.give(slotAt[message]);
            vector.rearm(message);
            next++;
            offset = 0;
        }
        return bytes;
    }

    private int takeSegments(PacketBurst burst, int message, int length, int segmentBytes) {
        int before = offset;
        if (segmentBytes < length && before == 0) {
            counters.add(PortCounter.RX_SUPER_PACKETS, 1);
        }
        do { // A datagram without a byte is a packet, too.
            int descriptor = burst.size();
            burst.size(descriptor + 1);
            describe(message, burst, descriptor);
            burst.length(descriptor, Math.min(segmentBytes, length - offset));
            offset += segmentBytes;
        } while (offset < length && burst.size() < burst.capacity());
        return Math.min(offset, length) - before;
    }

    private void describe(int message, PacketBurst burst, int descriptor) {
        int slot = slotAt[message];
        slots.share(slot);
        burst.handle(descriptor, slot);
        burst.data(descriptor, slots.address(slot) + offset);
        burst.flags(descriptor, vector.trafficClass() & Ecn.MASK);
        burst.localPort(descriptor, localPort);
        vector.source(message, burst, descriptor);
    }

    private void countKernelDrops() {
        int drops = vector.dropCount();
        if (drops != kernelDrops) {
            counters.add(PortCounter.RX_MISSED, Integer.toUnsignedLong(drops - kernelDrops));
            kernelDrops = drops;
        }
    }

    /** Nothing came. An empty socket is the normal case; anything else is counted and forgotten: nothing was lost by it. */
    private void onNothing(int result) {
        if (result < 0) {
            int errno = LibCLoader.lastError();
            if (!Errno.EAGAIN.is(errno) && !Errno.EINTR.is(errno)) {
                counters.add(PortCounter.RX_ERRORS, 1);
            }
        }
    }

    private void arm() {
        while (armed < slotAt.length) {
            int slot = slots.take();
            if (slot == SlotPool.NONE) {
                return;
            }
            armAt(armed++, slot);
        }
    }

    /** Positions 0 to {@code gap - 1} have given their slots away: fill them from the pool, else from the armed tail. */
    private void closeGap(int gap) {
        int i = 0;
        for (; i < gap; i++) {
            int slot = slots.take();
            if (slot == SlotPool.NONE) {
                break;
            }
            armAt(i, slot);
        }
        for (; i < gap && armed > gap; i++) {
            armAt(i, slotAt[--armed]);
        }
        if (i < gap) {
            armed = i;
        }
    }

    private void armAt(int i, int slot) {
        slotAt[i] = slot;
        vector.data(i, slots.address(slot), slotBytes);
    }
}
