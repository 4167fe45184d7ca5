// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.transport.path.Path;
import io.metaroce.transport.stream.OutboundPacketWriter;
import io.metaroce.transport.stream.Stream;
import io.metaroce.wire.Backlog;
import io.metaroce.wire.Crc32c;
import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.ErrorHeaderFlyweight;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.SendHeaderFlyweight;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes DATA packets, for the first time or again, from the name of their content. */
final class DataPackets {
    private final ConnectionState connection;
    private final Crc32c crc;
    private final DataFlyweight data = new DataFlyweight();
    private final ErrorHeaderFlyweight error = new ErrorHeaderFlyweight();
    private final SendHeaderFlyweight send = new SendHeaderFlyweight();
    private int backlog;
    private long backlogBytes;

    DataPackets(ConnectionState connection, Crc32c crc) {
        this.connection = connection;
        this.crc = crc;
    }

    /** Bytes of posted requests that wait to be sent, as of the last turn. */
    long backlogBytes() {
        return backlogBytes;
    }

    /** Bytes waiting on the connection, told in every packet from now on. */
    void backlogBytes(long bytes) {
        backlogBytes = bytes;
        backlog = Backlog.encode(bytes);
    }

    /** Whole length of the packet that carries a content. */
    int length(int content, int contentIndex) {
        if (Content.isError(content)) {
            return DataFlyweight.LENGTH + ErrorHeaderFlyweight.LENGTH + Crc32c.LENGTH;
        }
        OutboundPacketWriter writer = writer(content);
        int row = Content.row(content);
        return DataFlyweight.LENGTH
                + writer.opcode(row).headerLength()
                + writer.payloadLength(row, contentIndex, connection.payloadBytes())
                + Crc32c.LENGTH;
    }

    /** Begins the header of a packet: where it goes in the sequences. */
    DataFlyweight begin(UnsafeBuffer frame, Path path, int pathSequence, int connectionSequence, int timestamp) {
        data.wrap(frame, 0);
        data.versionAndType(PacketType.DATA);
        data.pathId(path.id());
        data.epoch(path.epoch());
        // MOP-PKT-6
        data.connectionId(connection.settings.remoteId());
        data.pathSequence(pathSequence);
        data.connectionSequence(connectionSequence);
        data.timestamp(timestamp);
        data.backlog(backlog);
        return data;
    }

    /**
     * Completes the packet that {@link #begin} began with its content.
     *
     * @param flags of the DATA header, without MESSAGE_END
     * @return the packet's whole length
     */
    int finish(UnsafeBuffer frame, int content, int contentIndex, int flags, int transmitCount) {
        data.transmitCount(transmitCount);
        return Content.isError(content)
                ? finishError(frame, Content.errorSlot(content), flags)
                : finishMessage(frame, content, contentIndex, flags);
    }

    /**
     * Completes a packet whose content the peer already has through another path, so that only its path sequence matters:
     * zeros of the same length, whose connection sequence makes the peer discard them (MOP-LOSS-11).
     */
    int finishFiller(UnsafeBuffer frame, int length, int flags, int transmitCount) {
        int afterData = length - DataFlyweight.LENGTH - Crc32c.LENGTH;
        boolean isShort = afterData < SendHeaderFlyweight.LENGTH;
        int payloadLength = isShort ? 0 : afterData - SendHeaderFlyweight.LENGTH;
        frame.setMemory(DataFlyweight.LENGTH, afterData, (byte) 0);
        data.transmitCount(transmitCount);
        data.flags(flags);
        data.streamId(0);
        data.opcode(isShort ? Opcode.ERROR : Opcode.SEND);
        data.messageSequence(0);
        data.payloadLength(payloadLength);
        if (!isShort) {
            send.wrap(frame, DataFlyweight.LENGTH);
            send.messageLength(payloadLength);
        }
        return crc.seal(frame, length - Crc32c.LENGTH);
    }

    private int finishMessage(UnsafeBuffer frame, int content, int contentIndex, int flags) {
        Stream stream = stream(content);
        OutboundPacketWriter writer = stream.requester().writer();
        int row = Content.row(content);
        Opcode opcode = writer.opcode(row);
        // MOP-SEQ-5: cut anew from the same row, it is the same content
        int payloadLength = writer.write(row, contentIndex, connection.payloadBytes(), frame);
        int messageFlags = (writer.isMessageEnd() ? DataFlyweight.FLAG_MESSAGE_END : 0)
                | (writer.isSolicited(row) ? DataFlyweight.FLAG_SOLICITED : 0);
        data.flags(flags | messageFlags);
        data.streamId(stream.streamId());
        data.opcode(opcode);
        data.messageSequence(stream.requester().messageSequence(row));
        data.payloadLength(payloadLength);
        return crc.seal(frame, DataFlyweight.LENGTH + opcode.headerLength() + payloadLength);
    }

    private int finishError(UnsafeBuffer frame, int errorSlot, int flags) {
        PendingErrors errors = connection.errors;
        data.flags(flags | DataFlyweight.FLAG_MESSAGE_END);
        data.streamId(errors.streamId(errorSlot));
        data.opcode(Opcode.ERROR);
        // MOP-SEQ-9
        data.messageSequence(errors.messageSequence(errorSlot));
        data.payloadLength(0);
        error.wrap(frame, DataFlyweight.LENGTH);
        error.syndrome(errors.syndrome(errorSlot));
        return crc.seal(frame, DataFlyweight.LENGTH + ErrorHeaderFlyweight.LENGTH);
    }

    private OutboundPacketWriter writer(int content) {
        return stream(content).requester().writer();
    }

    private Stream stream(int content) {
        Stream stream = connection.streams.at(Content.streamSlot(content));
        assert stream != null : "a slot is kept until everything of its stream is acknowledged";
        return java.util.Objects.requireNonNull(stream);
    }
}
