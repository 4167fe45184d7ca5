// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.stream;

import io.metaroce.queue.CompletionStatus;
import io.metaroce.wire.Opcode;
import java.util.Arrays;

/** The messages of one stream between posting and completion: one column a property, one row a message sequence. */
final class OutboundMessages {
    final Opcode[] opcodes;
    final CompletionStatus[] statuses;
    final long[] workRequestIds;
    final long[] localAddresses;
    final long[] remoteAddresses;
    final long[] lengths;
    final int[] lkeys;
    final int[] rkeys;
    final int[] immediates;
    final int[] flags;
    final int[] receiveNumbers;
    /** Packets handed out for transmission so far. */
    final int[] cut;
    /** Of those, how many have been acknowledged. */
    final int[] acknowledged;

    private final int mask;

    OutboundMessages(int window) {
        mask = window - 1;
        opcodes = new Opcode[window];
        statuses = new CompletionStatus[window];
        Arrays.fill(opcodes, Opcode.WRITE);
        Arrays.fill(statuses, CompletionStatus.SUCCESS);
        workRequestIds = new long[window];
        localAddresses = new long[window];
        remoteAddresses = new long[window];
        lengths = new long[window];
        lkeys = new int[window];
        rkeys = new int[window];
        immediates = new int[window];
        flags = new int[window];
        receiveNumbers = new int[window];
        cut = new int[window];
        acknowledged = new int[window];
    }

    /** The row of a message sequence. */
    int row(int messageSequence) {
        return messageSequence & mask;
    }

    int window() {
        return mask + 1;
    }

    /** Packets of a message: a zero-length one has one packet. */
    static long packets(long length, int payloadBytes) {
        return Math.max(1, (length + payloadBytes - 1) / payloadBytes);
    }

    /** Nothing of the message is on its way. */
    boolean isQuiet(int row) {
        return acknowledged[row] == cut[row];
    }
}
