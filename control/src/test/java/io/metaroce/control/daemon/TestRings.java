// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import io.metaroce.control.connect.QueueSpec;
import io.metaroce.queue.SlotRing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.BufferUtil;

/** Rings in memory that stays as long as this object. */
final class TestRings {
    private static final int CAPACITY = 64;
    private final List<ByteBuffer> memory = new ArrayList<>();

    final Ring send = ring();
    final Ring receive = ring();
    final Ring completions = ring();

    /** Two views, because each side keeps an index of its own. */
    record Ring(SlotRing ours, SlotRing lanes) {}

    private Ring ring() {
        ByteBuffer buffer = BufferUtil.allocateDirectAligned(SlotRing.bytesFor(CAPACITY), 64);
        memory.add(buffer);
        long address = BufferUtil.address(buffer);
        SlotRing.format(address, CAPACITY);
        int length = SlotRing.bytesFor(CAPACITY);
        return new Ring(new SlotRing(address, length), new SlotRing(address, length));
    }

    QueueSpec spec(int queuePair, int domain) {
        return new QueueSpec(
                queuePair, domain, send.lanes(), receive.lanes(), completions.lanes(), completions.lanes());
    }
}
