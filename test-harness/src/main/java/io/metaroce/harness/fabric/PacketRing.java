// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import java.util.Arrays;

/**
 * Packets in order with one number each, in arrays that grow to what the link once needed: walking a list through the
 * records themselves would cost a cache miss a packet.
 */
final class PacketRing {
    private int[] packets = new int[4];
    private long[] values = new long[4];
    private int head;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    void add(int packet, long value) {
        if (size == packets.length) {
            grow();
        }
        int at = (head + size++) & (packets.length - 1);
        packets[at] = packet;
        values[at] = value;
    }

    /** The number of the oldest packet. */
    long firstValue() {
        return values[head];
    }

    int removeFirst() {
        int packet = packets[head];
        head = (head + 1) & (packets.length - 1);
        size--;
        return packet;
    }

    private void grow() {
        int length = packets.length;
        int[] morePackets = Arrays.copyOf(packets, 2 * length);
        long[] moreValues = Arrays.copyOf(values, 2 * length);
        for (int i = 0; i < length; i++) {
            morePackets[i] = packets[(head + i) & (length - 1)];
            moreValues[i] = values[(head + i) & (length - 1)];
        }
        packets = morePackets;
        values = moreValues;
        head = 0;
    }
}
