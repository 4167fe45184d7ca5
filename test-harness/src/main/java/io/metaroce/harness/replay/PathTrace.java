// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.Serial;
import java.util.Arrays;

/**
 * One path of one direction, as the capture shows it: its present epoch packet by packet, as far as windows reach, and sums
 * over all epochs.
 */
final class PathTrace {
    /** What a DATA packet is to its path. */
    enum Kind {
        FIRST,
        /** Sent again, by its sender. */
        AGAIN,
        /** The same transmission once more: a network or a second tap copied it. */
        COPY
    }

    private static final int RING = 1024;
    private static final int MASK = RING - 1;
    private static final byte UNSEEN = 0;
    private static final byte SEEN = 1;
    private static final byte ACKNOWLEDGED = 2;
    /** Spreads timestamps over the ring. */
    private static final int SPREAD = 0x9e3779b1;

    private static final int RING_SHIFT = Integer.SIZE - 10;

    final int id;
    final LogHistogram roundTrips = new LogHistogram();
    int epoch;
    int epochs;
    int sourcePort;
    long packets;
    long bytes;
    long probes;
    long again;
    long needed;
    long spurious;
    long late;
    long unproven;
    long copies;
    long reordered;
    long missing;
    long lostBehind;
    long lostBefore;
    long marked;
    long movedAway;
    long acknowledgements;
    int peerMarked;
    int peerDuplicates;
    /** When the latest ACK that told something new was seen. */
    long progressNs;

    private final int[] sequences = new int[RING];
    private final int[] timestamps = new int[RING];
    private final int[] counts = new int[RING];
    private final byte[] states = new byte[RING];
    private final long[] evidenceNs = new long[RING];
    private final int[] echoTimestamps = new int[RING];
    private final long[] echoNs = new long[RING];
    private int next;
    private boolean hasNext;
    private boolean isFromStart;
    private int acknowledged;
    private boolean hasAcknowledged;
    private int lastTimestamp;
    private boolean hasTimestamp;
    private boolean hasEpoch;
    private boolean isCountWrong;

    PathTrace(int id) {
        this.id = id;
    }

    /** Enters a packet's epoch; false when it belongs to an earlier one. */
    boolean enterEpoch(int packetEpoch, int port) {
        if (hasEpoch && Serial.distance8(packetEpoch, epoch) > 127) {
            return false;
        }
        if (!hasEpoch || packetEpoch != epoch) {
            hasEpoch = true;
            epoch = packetEpoch;
            sourcePort = port;
            epochs++;
            hasNext = false;
            hasAcknowledged = false;
            Arrays.fill(states, UNSEEN);
            peerMarked = 0;
            peerDuplicates = 0;
        }
        return true;
    }

    /** Whether a timestamp is later than the one before, as every DATA and PROBE of a path must be; remembers it. */
    boolean onTimestamp(int timestamp, long nowNs) {
        boolean isLater = !hasTimestamp || Serial.isAfter(timestamp, lastTimestamp);
        if (isLater) {
            hasTimestamp = true;
            lastTimestamp = timestamp;
        }
        int row = row(timestamp);
        echoTimestamps[row] = timestamp;
        echoNs[row] = nowNs;
        return isLater;
    }

    Kind onData(int sequence, int timestamp, int count, long nowNs) {
        int slot = sequence & MASK;
        packets++;
        isCountWrong = false;
        if (states[slot] == UNSEEN || sequences[slot] != sequence) {
            onFirst(sequence, count);
            record(slot, sequence, timestamp, count);
            return count > 1 ? Kind.AGAIN : Kind.FIRST;
        }
        if (!Serial.isAfter(timestamp, timestamps[slot])) {
            // An earlier transmission that was overtaken by its repetition is no news either.
            copies++;
            reordered += timestamps[slot] == timestamp ? 0 : 1;
            return Kind.COPY;
        }
        isCountWrong = count <= counts[slot] && counts[slot] < 255;
        judge(slot, nowNs);
        boolean wasAcknowledged = states[slot] == ACKNOWLEDGED;
        record(slot, sequence, timestamp, count);
        states[slot] = wasAcknowledged ? ACKNOWLEDGED : SEEN;
        return Kind.AGAIN;
    }

    /** Whether the last DATA packet repeated a transmit count. */
    boolean isCountWrong() {
        return isCountWrong;
    }

    /** Whether a path sequence lies beyond what the peer permits. */
    boolean exceedsWindow(int sequence) {
        return hasAcknowledged && sequence - acknowledged >= AckFlyweight.SACK_BITS;
    }

    /** Whether an ACK expects more than was ever sent, in a capture that shows the path from its start. */
    boolean isImpossible(int expected) {
        return hasNext && isFromStart && missing == 0 && expected - next > 0;
    }

    /** Whether something was sent and is not acknowledged, as far as the capture shows. */
    boolean hasOutstanding() {
        return hasNext && (!hasAcknowledged || next - acknowledged > 0);
    }

    /** When the DATA or PROBE of a timestamp passed; -1 if it did not, or long ago. */
    long sentNs(int timestamp) {
        int row = row(timestamp);
        return echoTimestamps[row] == timestamp ? echoNs[row] : -1;
    }

    /** Takes an ACK of this path and epoch. */
    void onAck(AckFlyweight ack, long delayNs, long nowNs) {
        acknowledgements++;
        long sentNs = sentNs(ack.echoedTimestamp());
        if (sentNs >= 0 && !ack.hasFlag(AckFlyweight.FLAG_DETOUR)) {
            roundTrips.add(nowNs - sentNs - delayNs);
            // Each echo measures once.
            echoNs[row(ack.echoedTimestamp())] = -1;
        }
        int expected = ack.nextPathSequence();
        if (!hasAcknowledged || expected - acknowledged > RING) {
            acknowledged = expected - AckFlyweight.SACK_BITS;
        }
        hasAcknowledged = true;
        while (expected - acknowledged > 0) {
            acknowledge(acknowledged++);
            progressNs = nowNs;
        }
        if (ack.hasFlag(AckFlyweight.FLAG_SACK)) {
            onVector(ack, expected + 1);
        }
        findEvidence(ack.echoedTimestamp(), nowNs);
        marked += Math.max(0, (short) (ack.cePackets() - peerMarked));
        peerMarked = ack.cePackets();
        int more = (short) (ack.duplicates() - peerDuplicates);
        if (more > 0) {
            peerDuplicates = ack.duplicates();
        }
    }

    private void onVector(AckFlyweight ack, int first) {
        for (int word = 0; word < AckFlyweight.SACK_BITS / Long.SIZE; word++) {
            for (long bits = ack.sackWord(word); bits != 0; ) {
                int bit = Long.numberOfLeadingZeros(bits);
                bits &= ~(Long.MIN_VALUE >>> bit);
                acknowledge(first + word * Long.SIZE + bit);
            }
        }
    }

    /** What was last sent before the echoed packet and is not acknowledged is proven lost (MOP-LOSS-1). */
    private void findEvidence(int echo, long nowNs) {
        if (!hasNext) {
            return;
        }
        int from = next - acknowledged > AckFlyweight.SACK_BITS ? next - AckFlyweight.SACK_BITS : acknowledged;
        for (int sequence = from; next - sequence > 0; sequence++) {
            int slot = sequence & MASK;
            if (states[slot] != SEEN || sequences[slot] != sequence) {
                continue;
            }
            boolean isEarlier = Serial.isBefore(timestamps[slot], echo);
            if (!isEarlier && counts[slot] == 1) {
                break;
            }
            if (isEarlier && evidenceNs[slot] == 0) {
                evidenceNs[slot] = nowNs;
            }
        }
    }

    private void onFirst(int sequence, int count) {
        if (!hasNext) {
            hasNext = true;
            isFromStart = sequence == 0;
            next = sequence + 1;
            missing = Math.max(0, missing);
        } else if (sequence - next >= 0) {
            missing += sequence - next;
            next = sequence + 1;
        } else {
            missing = Math.max(0, missing - 1);
            reordered += count > 1 ? 0 : 1;
        }
        if (count > 1) {
            // Its earlier transmissions never came to the tap.
            again++;
            needed++;
            lostBefore++;
        }
    }

    private void judge(int slot, long nowNs) {
        again++;
        if (states[slot] == ACKNOWLEDGED) {
            spurious++;
        } else if (evidenceNs[slot] == 0) {
            unproven++;
        } else {
            needed++;
            lostBehind++;
            long patienceNs = Math.max(roundTrips.quantileNs(0.5), 1_000_000);
            late += nowNs - evidenceNs[slot] > patienceNs ? 1 : 0;
        }
    }

    private void record(int slot, int sequence, int timestamp, int count) {
        sequences[slot] = sequence;
        timestamps[slot] = timestamp;
        counts[slot] = count;
        states[slot] = SEEN;
        evidenceNs[slot] = 0;
    }

    private void acknowledge(int sequence) {
        int slot = sequence & MASK;
        if (sequences[slot] == sequence && states[slot] == SEEN) {
            states[slot] = ACKNOWLEDGED;
        }
    }

    private static int row(int timestamp) {
        return (timestamp * SPREAD) >>> RING_SHIFT;
    }
}
