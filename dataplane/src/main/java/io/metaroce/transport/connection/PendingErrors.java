// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.wire.Syndrome;
import java.util.Arrays;

/**
 * The ERRORs we owe the peer, from refusal to acknowledgement. A stream rarely needs more than one, since it is in error
 * from then on; with the table full, further requests stay unacknowledged and come again.
 */
final class PendingErrors {
    static final int CAPACITY = 64;

    private static final byte FREE = 0;
    private static final byte WAITING = 1;
    private static final byte SENT = 2;

    private final byte[] states = new byte[CAPACITY];
    private final int[] streamIds = new int[CAPACITY];
    private final int[] messageSequences = new int[CAPACITY];
    private final Syndrome[] syndromes = new Syndrome[CAPACITY];
    private int waiting;
    private int issued;

    PendingErrors() {
        Arrays.fill(syndromes, Syndrome.OPERATIONAL);
    }

    boolean hasRoom() {
        for (byte state : states) {
            if (state == FREE) {
                return true;
            }
        }
        return false;
    }

    /** Adds an ERROR; only when there {@link #hasRoom}. */
    void add(int streamId, int messageSequence, Syndrome syndrome) {
        int slot = 0;
        while (states[slot] != FREE) {
            slot++;
        }
        states[slot] = WAITING;
        streamIds[slot] = streamId;
        messageSequences[slot] = messageSequence;
        syndromes[slot] = syndrome;
        waiting++;
        issued++;
    }

    /** Whether an ERROR that the peer has not acknowledged names a message of the stream, or an earlier one. */
    boolean covers(int streamId, int messageSequence) {
        for (int slot = 0; slot < CAPACITY; slot++) {
            if (states[slot] != FREE && streamIds[slot] == streamId && messageSequence - messageSequences[slot] >= 0) {
                return true;
            }
        }
        return false;
    }

    /** ERRORs issued on the connection, as the ACK carries it. */
    int issued() {
        return issued & 0xff;
    }

    boolean isAnyWaiting() {
        return waiting > 0;
    }

    /** A slot whose ERROR has not been sent; only when {@link #isAnyWaiting}. */
    int firstWaiting() {
        int slot = 0;
        while (states[slot] != WAITING) {
            slot++;
        }
        return slot;
    }

    void onSent(int slot) {
        states[slot] = SENT;
        waiting--;
    }

    void onAcknowledged(int slot) {
        states[slot] = FREE;
    }

    int streamId(int slot) {
        return streamIds[slot];
    }

    int messageSequence(int slot) {
        return messageSequences[slot];
    }

    Syndrome syndrome(int slot) {
        return syndromes[slot];
    }
}
