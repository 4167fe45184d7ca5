// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import io.metaroce.port.Ecn;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PortCounter;
import io.metaroce.port.PortCounters;

/**
 * Receives bursts with recvmmsg into slots that are lent to the lane. Position {@code i} of the vector is armed with a free
 * slot; what a packet has landed in goes to the burst and the position gets another. Runs out of slots -> fewer positions
 * are armed, and the packets wait in the kernel.
 */
final class SocketReceiver {
    private static final LibC LIB_C = LibCLoader.load();

    private final int fd;
    private final int localPort;
    private final int frameBytesMax;
    private final SlotPool slots;
    private final PortCounters counters;
    private final MessageVector vector;
    private final int[] slotAt;
    private int armed;
    private int kernelDrops;

    SocketReceiver(
            UdpSocket socket, boolean isIpv6, int frameBytesMax, SlotPool slots, int burst, PortCounters counters) {
        this.fd = socket.fd();
        this.localPort = socket.boundPort();
        this.frameBytesMax = frameBytesMax;
        this.slots = slots;
        this.counters = counters;
        this.vector = new MessageVector(burst, isIpv6, MessageVector.CONTROL_BYTES);
        this.slotAt = new int[burst];
    }

    int localPort() {
        return localPort;
    }

    int receive(PacketBurst burst) {
        assert burst.isEmpty();
        arm();
        int want = Math.min(armed, burst.capacity());
        if (want == 0) {
            counters.add(PortCounter.RX_NO_BUFFER, 1);
            return 0;
        }
        int received = LIB_C.recvmmsg(fd, vector.address(0), want, NativeConstants.MSG_DONTWAIT, 0);
        if (received <= 0) {
            onNothing(received);
            return 0;
        }
        int taken = 0;
        long bytes = 0;
        for (int i = 0; i < received; i++) {
            vector.readControl(i, kernelDrops);
            countKernelDrops();
            if (vector.isTruncated(i)) {
                counters.add(PortCounter.RX_TRUNCATED, 1);
                slots.give(slotAt[i]);
            } else if (vector.isFragmented()) { // MOP-ENC-8
                counters.add(PortCounter.RX_FRAGMENTED, 1);
                slots.give(slotAt[i]);
            } else {
                describe(i, burst, taken++);
                bytes += vector.length(i);
            }
            vector.rearm(i);
        }
        burst.size(taken);
        counters.add(PortCounter.RX_PACKETS, taken);
        counters.add(PortCounter.RX_BYTES, bytes);
        closeGap(received);
        return taken;
    }

    private void describe(int i, PacketBurst burst, int descriptor) {
        burst.handle(descriptor, slotAt[i]);
        burst.data(descriptor, slots.address(slotAt[i]));
        burst.length(descriptor, vector.length(i));
        burst.flags(descriptor, vector.trafficClass() & Ecn.MASK);
        burst.localPort(descriptor, localPort);
        vector.source(i, burst, descriptor);
    }

    private void countKernelDrops() {
        int drops = vector.dropCount();
        if (drops != kernelDrops) {
            counters.add(PortCounter.RX_MISSED, Integer.toUnsignedLong(drops - kernelDrops));
            kernelDrops = drops;
        }
    }

    /** Nothing came. An empty socket is the normal case; anything else is counted and forgotten: nothing was lost by it. */
    private void onNothing(int received) {
        if (received < 0) {
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
        vector.data(i, slots.address(slot), frameBytesMax);
    }
}
