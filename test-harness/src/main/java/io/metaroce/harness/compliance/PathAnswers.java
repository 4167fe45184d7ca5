// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import java.util.BitSet;

/** What the peer received on one path and epoch, as its ACKs say it. */
final class PathAnswers {
    private final BitSet seen = new BitSet();
    private long received;
    private long duplicates;

    void onData(int sequence) {
        received++;
        if (seen.get(sequence)) {
            duplicates++;
        }
        seen.set(sequence);
    }

    void fill(Packet ack) {
        int next = seen.nextClearBit(0);
        ack.fields.put("next-expected-path-sequence", (long) next);
        ack.fields.put("received-packets", received);
        ack.fields.put("path-sequence-duplicates", duplicates);
        ack.fields.put("flags", seen.length() > next ? 1L : 0L);
        if (seen.length() > next) {
            ack.body = new byte[Packet.SACK_BYTES];
            for (int i = seen.nextSetBit(next); i >= 0; i = seen.nextSetBit(i + 1)) {
                int bit = i - next - 1;
                ack.body[bit >> 3] |= (byte) (0x80 >> (bit & 7));
            }
        }
    }
}
