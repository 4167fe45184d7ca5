// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.stream;

import io.metaroce.memory.AccessFlags;
import io.metaroce.memory.MemoryCheck;
import io.metaroce.memory.MemoryRegionTable;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.queue.ReceiveSlot;
import io.metaroce.queue.SlotRing;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.Syndrome;

/**
 * The receiving half of a stream: packets are placed in any order, messages become whole in any order and complete in
 * order. A refusal puts the stream in error from that message on: earlier messages go on, later ones are acknowledged and
 * discarded. No packet is discarded that an ERROR does not cover, else the peer would take its message for written (MOP-STR).
 */
public final class Responder {
    /** What became of a packet. */
    public enum Outcome {
        PLACED,
        /** The stream is in error: acknowledged, not placed. */
        DISCARDED,
        /** Refused: an ERROR with {@link #syndrome} is due, and the stream is now in error. */
        REFUSED,
        /** The peer exceeded the message window. */
        WINDOW_EXCEEDED,
        /** The peer contradicts what it said of the message before (MOP-STR-9). */
        INCONSISTENT
    }

    private final SlotRing receiveRing;
    private final MemoryRegionTable memory;
    private final int protectionDomain;
    private final InboundMessages messages;
    private final ReceiveCompletions completions;
    private final StreamTally tally;
    private final ReceiveSlot receive = new ReceiveSlot();
    private int completed;
    private int nextReceive;
    private boolean isInError;
    /** The first message that will not complete; meaningful in error. */
    private int errorFrom;

    private boolean hasRefused;
    /** The earliest message that an ERROR names; what is discarded must lie at or behind it. */
    private int refusedFrom;

    private Syndrome syndrome = Syndrome.OPERATIONAL;
    private int announcedCredit;

    Responder(StreamSettings settings, int messageWindow, MemoryRegionTable memory, StreamTally tally) {
        this.receiveRing = settings.receiveRing();
        this.memory = memory;
        this.protectionDomain = settings.protectionDomain();
        this.messages = new InboundMessages(messageWindow);
        this.completions = new ReceiveCompletions(settings, tally);
        this.tally = tally;
    }

    /** Takes one packet whose connection sequence is new. */
    public Outcome onData(PacketView packet) {
        int messageSequence = packet.data().messageSequence();
        // MOP-STR-20
        if (isInError && messageSequence - errorFrom >= 0) {
            // MOP-STR-42
            return hasRefused && messageSequence - refusedFrom >= 0
                    ? Outcome.DISCARDED
                    : refuse(messageSequence, Syndrome.OPERATIONAL);
        }
        int distance = messageSequence - completed;
        // MOP-RCV-12
        if (distance >= messages.window()) {
            return Outcome.WINDOW_EXCEEDED;
        }
        int row = messages.row(messageSequence);
        if (distance < 0) {
            return Outcome.INCONSISTENT;
        }
        // Before the comparison with the message's other packets: a peer whose memory is gone names no receive
        // (MOP-LOSS-10).
        if (packet.opcode().consumesReceive() && !isPosted(receiveNumber(packet))) {
            return refuse(packet, Syndrome.INVALID_REQUEST);
        }
        if (!messages.admits(row, packet)) {
            return Outcome.INCONSISTENT;
        }
        // MOP-STR-7
        return packet.opcode().placesByAddress() ? onWrite(packet, row) : onSend(packet, row);
    }

    /** Why the last packet was refused. */
    public Syndrome syndrome() {
        return syndrome;
    }

    /** The message that the refusal of the last packet names. */
    public int refusedMessage() {
        return refusedFrom;
    }

    public boolean isInError() {
        return isInError;
    }

    /** Puts the stream in error: the next message and all behind it fail, posted receives are flushed. */
    public void fail() {
        if (!isInError) {
            errorFrom = completed;
            isInError = true;
        }
    }

    /** Nothing more will arrive: the messages before the error will not become whole either. */
    public void abandon() {
        isInError = true;
        errorFrom = completed;
    }

    /** Delivers receive completions while the completion queue has room; returns how many. */
    public int deliverCompletions() {
        return completions.deliver(isFlushing());
    }

    /** Every receive that was consumed or flushed has its completion. */
    public boolean isDrained() {
        return completions.isDrained(isFlushing());
    }

    /** The posted-receive limit: receives posted since the stream opened, modulo 2^32. */
    public int credit() {
        // MOP-STR-29
        return (int) receiveRing.produced();
    }

    /** Whether the limit has grown since it was last announced. */
    public boolean hasNewCredit() {
        return credit() != announcedCredit;
    }

    /** Whether the peer may be waiting for the new limit: it has used more than half of what it knows. */
    public boolean isCreditUrgent() {
        // MOP-STR-34
        int remaining = announcedCredit - nextReceive;
        return hasNewCredit() && remaining <= receiveRing.capacity() / 2;
    }

    /** The limit goes out in a packet; returns it. */
    public int announceCredit() {
        announcedCredit = credit();
        return announcedCredit;
    }

    private Outcome onWrite(PacketView packet, int row) {
        int length = packet.data().payloadLength();
        // MOP-STR-5
        MemoryCheck check = memory.copyIn(
                packet.write().rkey(),
                protectionDomain,
                packet.write().remoteAddress(),
                packet.payloadAddress(),
                length,
                AccessFlags.REMOTE_WRITE);
        if (check != MemoryCheck.OK) {
            tally.onAccessFault(check);
            return refuse(packet, check == MemoryCheck.RANGE ? Syndrome.RANGE : Syndrome.ACCESS);
        }
        return placed(row, length);
    }

    private Outcome onSend(PacketView packet, int row) {
        int receiveNumber = packet.send().receiveNumber();
        receiveRing.slotAt(receiveIndex(receiveNumber), receive);
        // MOP-STR-6
        if (packet.send().messageLength() > receive.length()) {
            completions.failReceive(receiveIndex(receiveNumber), CompletionStatus.LOCAL_LENGTH_ERROR);
            return refuse(packet, Syndrome.LENGTH);
        }
        int length = packet.data().payloadLength();
        MemoryCheck check = memory.copyIn(
                receive.lkey(),
                protectionDomain,
                receive.localAddress() + packet.send().messageOffset(),
                packet.payloadAddress(),
                length,
                AccessFlags.LOCAL_WRITE);
        if (check != MemoryCheck.OK) {
            completions.failReceive(receiveIndex(receiveNumber), CompletionStatus.LOCAL_PROTECTION_ERROR);
            return refuse(packet, Syndrome.OPERATIONAL);
        }
        return placed(row, length);
    }

    private Outcome placed(int row, int length) {
        messages.onPlaced(row, length);
        // MOP-STR-13
        while (!isFlushing() && messages.isWhole(messages.row(completed))) {
            int whole = messages.row(completed);
            Opcode opcode = messages.opcode(whole);
            if (opcode.consumesReceive()) {
                // MOP-STR-32
                if (messages.receiveNumber(whole) != nextReceive) {
                    return refuse(completed, Syndrome.INVALID_REQUEST);
                }
                // MOP-STR-33
                completions.add(opcode, messages.length(whole), messages.immediate(whole), messages.isSolicited(whole));
                nextReceive++;
            }
            messages.clear(whole);
            tally.onMessageReceived();
            completed++;
        }
        return Outcome.PLACED;
    }

    private static int receiveNumber(PacketView packet) {
        return packet.opcode().placesByAddress()
                ? packet.write().receiveNumber()
                : packet.send().receiveNumber();
    }

    /** Whether a receive number is among those posted and not yet consumed. */
    private boolean isPosted(int receiveNumber) {
        int distance = receiveNumber - nextReceive;
        return distance >= 0 && (int) receiveRing.produced() - receiveNumber > 0;
    }

    /** The ring index of a receive number that {@link #isPosted}. */
    private long receiveIndex(int receiveNumber) {
        long consumed = receiveRing.consumed();
        return consumed + (receiveNumber - (int) consumed);
    }

    /** Every message before the error has completed; what is posted beyond is flushed. */
    private boolean isFlushing() {
        return isInError && completed == errorFrom;
    }

    private Outcome refuse(PacketView packet, Syndrome why) {
        return refuse(packet.data().messageSequence(), why);
    }

    private Outcome refuse(int messageSequence, Syndrome why) {
        if (!isInError || messageSequence - errorFrom < 0) {
            errorFrom = messageSequence;
        }
        refusedFrom = messageSequence;
        hasRefused = true;
        isInError = true;
        syndrome = why;
        return Outcome.REFUSED;
    }
}
