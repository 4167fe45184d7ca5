// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.recovery;

import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.Serial;

/**
 * The packets of one path and epoch that are not yet acknowledged, at most 256 path sequences from the oldest. A packet's
 * content is named by its connection sequence and two numbers that only the owner understands, so that it can be written
 * again, here or on another path.
 *
 * <pre>
 *   base                                     next
 *    | ACKED  LOST  OUTSTANDING  ACKED  ... | not yet sent
 * </pre>
 */
public final class SentPackets {
    /** Path sequences that may lie between the oldest unacknowledged packet and the next new one. */
    public static final int WINDOW = 256;

    /** Packets there is first place for; doubled, up to the window, when more are in flight than ever before. */
    private static final int FIRST_CAPACITY = 8;

    private static final int[] NONE = {};
    private static final byte[] NO_BYTES = {};
    private static final byte ACKNOWLEDGED = 0;
    private static final byte OUTSTANDING = 1;
    private static final byte LOST = 2;

    private int[] connectionSequences = NONE;
    private int[] contents = NONE;
    private int[] contentIndices = NONE;
    private int[] lengths = NONE;
    private int[] timestamps = NONE;
    private int[] transmitCounts = NONE;
    private byte[] states = NO_BYTES;
    private int mask = -1;
    private int base;
    private int next;
    private int outstanding;
    private int lost;
    private long inFlightBytes;

    /** Hears of every packet that is acknowledged for the first time. */
    public interface AcknowledgedPackets {
        void onPacketAcknowledged(int connectionSequence, int content, int contentIndex);
    }

    /** The next new path sequence. */
    public int next() {
        return next;
    }

    /** The oldest path sequence not acknowledged. */
    public int base() {
        return base;
    }

    public boolean hasRoom() {
        // MOP-SEQ-3
        return next - base < WINDOW;
    }

    /** Packets sent and neither acknowledged nor declared lost. */
    public int outstanding() {
        return outstanding;
    }

    /** Packets declared lost and not yet sent again. */
    public int lost() {
        return lost;
    }

    /** Nothing waits for an acknowledgement or a retransmission. */
    public boolean isEmpty() {
        return base == next;
    }

    /** Bytes of the outstanding packets. */
    public long inFlightBytes() {
        return inFlightBytes;
    }

    /** Records a first transmission; returns its path sequence. Only when {@link #hasRoom}. */
    public int add(int connectionSequence, int content, int contentIndex, int length, int timestamp) {
        assert hasRoom();
        if (next - base > mask) {
            grow();
        }
        int slot = next & mask;
        connectionSequences[slot] = connectionSequence;
        contents[slot] = content;
        contentIndices[slot] = contentIndex;
        lengths[slot] = length;
        timestamps[slot] = timestamp;
        transmitCounts[slot] = 1;
        states[slot] = OUTSTANDING;
        outstanding++;
        inFlightBytes += length;
        // MOP-SEQ-2
        return next++;
    }

    /** Records that a lost packet is sent again; returns its transmit count. */
    public int onRetransmitted(int sequence, int timestamp) {
        int slot = sequence & mask;
        // MOP-LOSS-4
        assert states[slot] == LOST;
        states[slot] = OUTSTANDING;
        timestamps[slot] = timestamp;
        lost--;
        outstanding++;
        inFlightBytes += lengths[slot];
        return ++transmitCounts[slot];
    }

    /** The oldest packet declared lost; only when {@link #lost} is not 0. */
    public int oldestLost() {
        int sequence = base;
        while (states[sequence & mask] != LOST) {
            sequence++;
        }
        return sequence;
    }

    public int connectionSequence(int sequence) {
        return connectionSequences[sequence & mask];
    }

    public int content(int sequence) {
        return contents[sequence & mask];
    }

    public int contentIndex(int sequence) {
        return contentIndices[sequence & mask];
    }

    public int length(int sequence) {
        return lengths[sequence & mask];
    }

    public boolean isAcknowledged(int sequence) {
        return states[sequence & mask] == ACKNOWLEDGED;
    }

    /** Whether an acknowledgement speaks of packets that exist: it cannot expect more than was sent, however late it is. */
    public boolean isPlausible(int nextExpected) {
        return nextExpected - next <= 0;
    }

    /**
     * Takes the sequences of an acknowledgement: all before its cumulative point, and those its vector names. A cumulative
     * point of the past is no reason to ignore the vector.
     *
     * @return bytes acknowledged for the first time
     */
    public long onAcknowledgement(AckFlyweight ack, AcknowledgedPackets listener) {
        long acknowledgedBytes = 0;
        int nextExpected = ack.nextPathSequence();
        for (int sequence = base; nextExpected - sequence > 0; sequence++) {
            acknowledgedBytes += acknowledge(sequence, listener);
        }
        if (ack.hasFlag(AckFlyweight.FLAG_SACK)) {
            acknowledgedBytes += acknowledgeVector(ack, nextExpected + 1, listener);
        }
        while (base != next && states[base & mask] == ACKNOWLEDGED) {
            base++;
        }
        return acknowledgedBytes;
    }

    /**
     * Declares lost what the evidence proves lost.
     *
     * @param threshold packets last sent before this timestamp are lost
     * @return packets newly declared lost
     */
    public int detectLosses(int threshold) {
        int newlyLost = 0;
        for (int sequence = base; sequence != next; sequence++) {
            int slot = sequence & mask;
            boolean isEarlier = Serial.isBefore(timestamps[slot], threshold);
            // First transmissions carry rising timestamps, so nothing behind this one can be earlier.
            if (!isEarlier && transmitCounts[slot] == 1) {
                break;
            }
            if (isEarlier && states[slot] == OUTSTANDING) {
                states[slot] = LOST;
                outstanding--;
                lost++;
                // MOP-LOSS-7
                inFlightBytes -= lengths[slot];
                newlyLost++;
            }
        }
        return newlyLost;
    }

    /** The epoch has ended and what is unacknowledged has moved: nothing is in flight, though an ACK may still name it. */
    public void loseAll() {
        for (int sequence = base; sequence != next; sequence++) {
            int slot = sequence & mask;
            if (states[slot] == OUTSTANDING) {
                states[slot] = LOST;
                outstanding--;
                lost++;
            }
        }
        inFlightBytes = 0;
    }

    /** Whether a packet is declared lost and not sent again. */
    public boolean isLost(int sequence) {
        return states[sequence & mask] == LOST;
    }

    /** Starts a new epoch: nothing is in flight and sequences begin at 0. The owner has moved the content away. */
    public void reset() {
        base = 0;
        next = 0;
        outstanding = 0;
        lost = 0;
        inFlightBytes = 0;
    }

    /**
     * Makes twice the room. An idle path holds nothing, a busy one what it needs: a hundred thousand connections could not all
     * hold full windows. Happens six times in a path's life at most.
     */
    private void grow() {
        int capacity = Math.max(FIRST_CAPACITY, 2 * states.length);
        int oldMask = mask;
        connectionSequences = moved(connectionSequences, oldMask, capacity);
        contents = moved(contents, oldMask, capacity);
        contentIndices = moved(contentIndices, oldMask, capacity);
        lengths = moved(lengths, oldMask, capacity);
        timestamps = moved(timestamps, oldMask, capacity);
        transmitCounts = moved(transmitCounts, oldMask, capacity);
        byte[] newStates = new byte[capacity];
        for (int sequence = base; sequence != next; sequence++) {
            newStates[sequence & (capacity - 1)] = states[sequence & oldMask];
        }
        states = newStates;
        mask = capacity - 1;
    }

    private int[] moved(int[] column, int oldMask, int capacity) {
        int[] wider = new int[capacity];
        for (int sequence = base; sequence != next; sequence++) {
            wider[sequence & (capacity - 1)] = column[sequence & oldMask];
        }
        return wider;
    }

    private long acknowledgeVector(AckFlyweight ack, int first, AcknowledgedPackets listener) {
        long acknowledgedBytes = 0;
        for (int word = 0; word < AckFlyweight.SACK_BITS / Long.SIZE; word++) {
            long bits = ack.sackWord(word);
            while (bits != 0) {
                int bit = Long.numberOfLeadingZeros(bits);
                bits &= ~(Long.MIN_VALUE >>> bit);
                int sequence = first + word * Long.SIZE + bit;
                if (sequence - base >= 0 && next - sequence > 0) {
                    acknowledgedBytes += acknowledge(sequence, listener);
                }
            }
        }
        return acknowledgedBytes;
    }

    private long acknowledge(int sequence, AcknowledgedPackets listener) {
        int slot = sequence & mask;
        byte state = states[slot];
        if (state == ACKNOWLEDGED) {
            return 0;
        }
        states[slot] = ACKNOWLEDGED;
        if (state == LOST) {
            lost--;
        } else {
            outstanding--;
            inFlightBytes -= lengths[slot];
        }
        listener.onPacketAcknowledged(connectionSequences[slot], contents[slot], contentIndices[slot]);
        return lengths[slot];
    }
}
