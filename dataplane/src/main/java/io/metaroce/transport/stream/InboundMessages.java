// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.stream;

import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import java.util.Arrays;

/** The messages of one stream that are arriving: one column a property, one row a message sequence. */
final class InboundMessages {
    private static final byte EMPTY = 0;
    private static final byte ARRIVING = 1;
    private static final byte WHOLE = 2;

    private final byte[] states;
    private final Opcode[] opcodes;
    private final long[] lengths;
    private final long[] received;
    private final int[] receiveNumbers;
    private final int[] immediates;
    private final boolean[] solicited;
    private final int mask;

    InboundMessages(int window) {
        mask = window - 1;
        states = new byte[window];
        opcodes = new Opcode[window];
        Arrays.fill(opcodes, Opcode.WRITE);
        lengths = new long[window];
        received = new long[window];
        receiveNumbers = new int[window];
        immediates = new int[window];
        solicited = new boolean[window];
    }

    int row(int messageSequence) {
        return messageSequence & mask;
    }

    int window() {
        return mask + 1;
    }

    /**
     * Opens the row at a message's first packet, or compares a further packet with it.
     *
     * @return whether the packet belongs to the message and its bytes are still missing
     */
    boolean admits(int row, PacketView packet) {
        Opcode opcode = packet.opcode();
        boolean placesByAddress = opcode.placesByAddress();
        long length =
                placesByAddress ? packet.write().messageLength() : packet.send().messageLength();
        int receiveNumber = 0;
        int immediate = 0;
        if (opcode.consumesReceive()) {
            receiveNumber = placesByAddress
                    ? packet.write().receiveNumber()
                    : packet.send().receiveNumber();
        }
        if (opcode.carriesImmediate()) {
            immediate =
                    placesByAddress ? packet.write().immediate() : packet.send().immediate();
        }
        if (states[row] == EMPTY) {
            states[row] = ARRIVING;
            opcodes[row] = opcode;
            lengths[row] = length;
            received[row] = 0;
            receiveNumbers[row] = receiveNumber;
            immediates[row] = immediate;
            solicited[row] = packet.data().hasFlag(DataFlyweight.FLAG_SOLICITED);
            return true;
        }
        return states[row] == ARRIVING
                && opcodes[row] == opcode
                && lengths[row] == length
                && receiveNumbers[row] == receiveNumber
                && immediates[row] == immediate
                && solicited[row] == packet.data().hasFlag(DataFlyweight.FLAG_SOLICITED)
                && received[row] + packet.data().payloadLength() <= length;
    }

    /** Accounts for placed bytes; "whole" counts bytes. */
    void onPlaced(int row, int bytes) {
        // MOP-STR-10
        received[row] += bytes;
        if (received[row] == lengths[row]) {
            states[row] = WHOLE;
        }
    }

    boolean isWhole(int row) {
        return states[row] == WHOLE;
    }

    void clear(int row) {
        states[row] = EMPTY;
    }

    Opcode opcode(int row) {
        return opcodes[row];
    }

    long length(int row) {
        return lengths[row];
    }

    int receiveNumber(int row) {
        return receiveNumbers[row];
    }

    boolean isSolicited(int row) {
        return solicited[row];
    }

    int immediate(int row) {
        return immediates[row];
    }
}
