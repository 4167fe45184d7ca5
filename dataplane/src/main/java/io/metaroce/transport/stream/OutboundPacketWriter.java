// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.stream;

import io.metaroce.memory.MemoryCheck;
import io.metaroce.memory.MemoryRegionTable;
import io.metaroce.queue.SendFlags;
import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.SendHeaderFlyweight;
import io.metaroce.wire.WriteHeaderFlyweight;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes the operation header and payload of any packet of any message in progress, for the first time or again. */
public final class OutboundPacketWriter {
    /** Set in the receive number of a packet whose content is gone; no receive has it, so the peer refuses the message. */
    private static final int NO_SUCH_RECEIVE = Integer.MIN_VALUE;

    private final OutboundMessages messages;
    private final MemoryRegionTable memory;
    private final int protectionDomain;
    private final WriteHeaderFlyweight writeHeader = new WriteHeaderFlyweight();
    private final SendHeaderFlyweight sendHeader = new SendHeaderFlyweight();
    private boolean isMessageEnd;

    OutboundPacketWriter(OutboundMessages messages, MemoryRegionTable memory, int protectionDomain) {
        this.messages = messages;
        this.memory = memory;
        this.protectionDomain = protectionDomain;
    }

    public Opcode opcode(int row) {
        return messages.opcodes[row];
    }

    /** Bytes of payload that a packet carries. */
    public int payloadLength(int row, int index, int payloadBytes) {
        return (int) Math.min(payloadBytes, messages.lengths[row] - (long) index * payloadBytes);
    }

    /** Whether the receiver's completion is to raise an event. */
    public boolean isSolicited(int row) {
        return (messages.flags[row] & SendFlags.SOLICITED) != 0;
    }

    /** Whether the packet written last was its message's last. */
    public boolean isMessageEnd() {
        return isMessageEnd;
    }

    /**
     * Writes behind the DATA header. Should the application have deregistered the memory of a message in progress, the
     * packet still takes its place in the sequences, but names no memory, so that the peer refuses the message instead of
     * placing wrong bytes.
     *
     * @return bytes of payload written
     */
    public int write(int row, int index, int payloadBytes, UnsafeBuffer frame) {
        Opcode opcode = messages.opcodes[row];
        int payloadLength = payloadLength(row, index, payloadBytes);
        int payloadOffset = DataFlyweight.LENGTH + opcode.headerLength();
        long messageOffset = (long) index * payloadBytes;
        MemoryCheck check = memory.copyOut(
                messages.lkeys[row],
                protectionDomain,
                messages.localAddresses[row] + messageOffset,
                frame.addressOffset() + payloadOffset,
                payloadLength,
                0);
        boolean isGone = check != MemoryCheck.OK;
        if (isGone) {
            frame.setMemory(payloadOffset, payloadLength, (byte) 0);
        }
        if (opcode.placesByAddress()) {
            writeWriteHeader(opcode, row, messageOffset, isGone, frame);
        } else {
            writeSendHeader(opcode, row, messageOffset, isGone, frame);
        }
        // MOP-STR-2
        isMessageEnd = messageOffset + payloadLength == messages.lengths[row];
        return payloadLength;
    }

    private void writeWriteHeader(Opcode opcode, int row, long messageOffset, boolean isGone, UnsafeBuffer frame) {
        writeHeader.wrap(frame, DataFlyweight.LENGTH);
        // MOP-STR-3
        writeHeader.remoteAddress(messages.remoteAddresses[row] + messageOffset);
        writeHeader.rkey(isGone ? 0 : messages.rkeys[row]);
        writeHeader.messageLength(messages.lengths[row]);
        if (opcode.carriesImmediate()) {
            writeHeader.receiveNumber(messages.receiveNumbers[row]);
            writeHeader.immediate(messages.immediates[row]);
        }
    }

    private void writeSendHeader(Opcode opcode, int row, long messageOffset, boolean isGone, UnsafeBuffer frame) {
        sendHeader.wrap(frame, DataFlyweight.LENGTH);
        sendHeader.receiveNumber(
                isGone ? messages.receiveNumbers[row] ^ NO_SUCH_RECEIVE : messages.receiveNumbers[row]);
        sendHeader.messageOffset(messageOffset);
        sendHeader.messageLength(messages.lengths[row]);
        if (opcode.carriesImmediate()) {
            sendHeader.immediate(messages.immediates[row]);
        }
    }
}
