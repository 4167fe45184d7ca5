// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

/**
 * The DATA header, 32 bytes; the operation header, the payload and the checksum follow.
 *
 * <pre>
 *   +--------+--------+----------------+----------------+----------------+
 *   | 1      | 0      | flags          | path id        | epoch          |   0
 *   | destination connection id                                          |   4
 *   | path sequence                                                      |   8
 *   | connection sequence                                                |  12
 *   | transmit timestamp, 16 ns                                          |  16
 *   | stream id                        | opcode         | backlog        |  20
 *   | message sequence                                                   |  24
 *   | payload length                   | transmit count | reserved       |  28
 *   +--------------------------------------------------------------------+
 * </pre>
 */
public final class DataFlyweight extends MopFlyweight {
    public static final int LENGTH = 32;

    public static final int FLAG_ACK_REQUEST = 1;
    public static final int FLAG_RETRANSMIT = 1 << 1;
    public static final int FLAG_MESSAGE_END = 1 << 2;
    public static final int FLAG_SOLICITED = 1 << 3;

    static final int PATH_ID_OFFSET = 2;
    static final int EPOCH_OFFSET = 3;
    static final int PATH_SEQUENCE_OFFSET = 8;
    static final int CONNECTION_SEQUENCE_OFFSET = 12;
    static final int TIMESTAMP_OFFSET = 16;
    static final int STREAM_ID_OFFSET = 20;
    static final int OPCODE_OFFSET = 22;
    static final int BACKLOG_OFFSET = 23;
    static final int MESSAGE_SEQUENCE_OFFSET = 24;
    static final int PAYLOAD_LENGTH_OFFSET = 28;
    static final int TRANSMIT_COUNT_OFFSET = 30;
    static final int RESERVED_OFFSET = 31;

    public int pathId() {
        return uint8(PATH_ID_OFFSET);
    }

    public void pathId(int id) {
        uint8(PATH_ID_OFFSET, id);
    }

    public int epoch() {
        return uint8(EPOCH_OFFSET);
    }

    public void epoch(int epoch) {
        uint8(EPOCH_OFFSET, epoch);
    }

    public int pathSequence() {
        return int32(PATH_SEQUENCE_OFFSET);
    }

    public void pathSequence(int sequence) {
        int32(PATH_SEQUENCE_OFFSET, sequence);
    }

    public int connectionSequence() {
        return int32(CONNECTION_SEQUENCE_OFFSET);
    }

    public void connectionSequence(int sequence) {
        int32(CONNECTION_SEQUENCE_OFFSET, sequence);
    }

    public int timestamp() {
        return int32(TIMESTAMP_OFFSET);
    }

    public void timestamp(int timestamp) {
        int32(TIMESTAMP_OFFSET, timestamp);
    }

    public int streamId() {
        return uint16(STREAM_ID_OFFSET);
    }

    public void streamId(int id) {
        uint16(STREAM_ID_OFFSET, id);
    }

    public int opcode() {
        return uint8(OPCODE_OFFSET);
    }

    public void opcode(Opcode opcode) {
        uint8(OPCODE_OFFSET, opcode.code());
    }

    /** Bytes waiting on the connection, log scale, see {@link Backlog}. */
    public int backlog() {
        return uint8(BACKLOG_OFFSET);
    }

    public void backlog(int encoded) {
        uint8(BACKLOG_OFFSET, encoded);
    }

    public int messageSequence() {
        return int32(MESSAGE_SEQUENCE_OFFSET);
    }

    public void messageSequence(int sequence) {
        int32(MESSAGE_SEQUENCE_OFFSET, sequence);
    }

    public int payloadLength() {
        return uint16(PAYLOAD_LENGTH_OFFSET);
    }

    public void payloadLength(int bytes) {
        uint16(PAYLOAD_LENGTH_OFFSET, bytes);
    }

    /** 1 for the first transmission, saturating at 255. */
    public int transmitCount() {
        return uint8(TRANSMIT_COUNT_OFFSET);
    }

    public void transmitCount(int count) {
        // MOP-SEQ-13
        uint8(TRANSMIT_COUNT_OFFSET, Math.min(count, 255));
        // MOP-PKT-2, MOP-RCV-4: nobody reads it
        uint8(RESERVED_OFFSET, 0);
    }
}
