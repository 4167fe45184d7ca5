// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import io.metaroce.memory.MemoryKey;
import io.metaroce.queue.WorkRequestOpcode;
import java.util.ArrayList;
import java.util.List;

/**
 * What the sender of a corpus capture is asked to do, and so what must stand in the receiver's memory at the end.
 *
 * <pre>
 *   the receiver's region; in captures it begins at {@link #BASE}, wherever it stands when they are replayed
 *   0          WRITES_BYTES                      one buffer of RECEIVE_BYTES for each posted receive
 *   +----------+----------+----------+----------+--
 *   | writes   | stream 0, receive 0, 1, ...    | stream 1 ...
 * </pre>
 */
final class Plan {
    static final int STREAMS = 2;
    static final int RECEIVES_PER_STREAM = 16;
    static final int RECEIVE_BYTES = 4096;
    static final int WRITES_BYTES = 64 << 10;
    static final int REGION_BYTES = WRITES_BYTES + STREAMS * RECEIVES_PER_STREAM * RECEIVE_BYTES;
    static final long BASE = 0x10_0000_0000L;
    static final int RKEY = MemoryKey.of(3, 0x5eed5);
    static final int SENDER_ID = 0x0a0a_0001;
    static final int RECEIVER_ID = 0x0b0b_0002;

    private static final int[] WRITE_LENGTHS = {5000, 255, 256, 257, 1, 0, 3333};
    private static final int[] SEND_LENGTHS = {3000, 256, 0, 1025};

    /**
     * One work request.
     *
     * @param target offset in the region
     * @param receive number of the posted receive that it consumes, or -1
     */
    record Message(int stream, WorkRequestOpcode opcode, int length, int target, int receive, int immediate) {}

    private final List<Message> messages = new ArrayList<>();
    private final long seed;

    Plan(long seed) {
        this.seed = seed;
        int target = 0;
        int[] receives = new int[STREAMS];
        for (int round = 0; round < 12; round++) {
            int stream = round % STREAMS;
            int length = WRITE_LENGTHS[round % WRITE_LENGTHS.length];
            boolean hasImmediate = round % 3 == 1;
            WorkRequestOpcode write =
                    hasImmediate ? WorkRequestOpcode.RDMA_WRITE_WITH_IMM : WorkRequestOpcode.RDMA_WRITE;
            messages.add(new Message(stream, write, length, target, hasImmediate ? receives[stream]++ : -1, round));
            // A gap between targets shows bytes that land beyond their own.
            target += length + 64;
            int sendLength = SEND_LENGTHS[round % SEND_LENGTHS.length];
            WorkRequestOpcode send = round % 4 == 3 ? WorkRequestOpcode.SEND_WITH_IMM : WorkRequestOpcode.SEND;
            int receive = receives[stream]++;
            messages.add(new Message(stream, send, sendLength, receiveOffset(stream, receive), receive, 100 + round));
        }
    }

    List<Message> messages() {
        return messages;
    }

    /** What message {@code index} carries. */
    byte[] content(int index) {
        byte[] content = new byte[messages.get(index).length()];
        Seeded random = new Seeded(seed + index);
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) random.next();
        }
        return content;
    }

    /** The region once all messages have arrived, over zeros. */
    byte[] region() {
        byte[] region = new byte[REGION_BYTES];
        for (int i = 0; i < messages.size(); i++) {
            byte[] content = content(i);
            System.arraycopy(content, 0, region, messages.get(i).target(), content.length);
        }
        return region;
    }

    static int receiveOffset(int stream, int receive) {
        return WRITES_BYTES + (stream * RECEIVES_PER_STREAM + receive) * RECEIVE_BYTES;
    }
}
