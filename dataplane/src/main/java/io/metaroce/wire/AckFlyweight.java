// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

/**
 * The acknowledgement of one path, 44 bytes, and 32 more when a hole is open. Unsequenced, cumulative, idempotent.
 *
 * <pre>
 *   | 1      | 1      | flags          | path id        | epoch          |   0
 *   | destination connection id                                          |   4
 *   | next expected path sequence                                        |   8
 *   | echoed timestamp of the last DATA or PROBE in arrival order        |  12
 *   | ACK delay since that arrival     | CE-marked packets               |  16
 *   | received packets                                                   |  20
 *   | path-sequence duplicates         | receive level  | hint epoch     |  24
 *   | hint, Mbit/s                                                       |  28
 *   | next expected connection sequence                                  |  32
 *   | credit: stream id                | transmit count | errors issued  |  36
 *   | credit: posted-receive limit                                       |  40
 *   | SACK vector, 256 bits: bit i = path sequence next + 1 + i          |  44
 * </pre>
 */
public final class AckFlyweight extends MopFlyweight {
    public static final int LENGTH = 44;
    public static final int SACK_BITS = 256;
    public static final int SACK_LENGTH = SACK_BITS / 8;

    public static final int FLAG_SACK = 1;
    public static final int FLAG_HINT = 1 << 1;
    public static final int FLAG_CREDIT = 1 << 2;
    /** Travels through another path than the one it speaks of: evidence and acknowledgement, but no RTT sample. */
    public static final int FLAG_DETOUR = 1 << 3;

    static final int PATH_ID_OFFSET = 2;
    static final int EPOCH_OFFSET = 3;
    static final int NEXT_PATH_SEQUENCE_OFFSET = 8;
    static final int ECHOED_TIMESTAMP_OFFSET = 12;
    static final int DELAY_OFFSET = 16;
    static final int CE_PACKETS_OFFSET = 18;
    static final int RECEIVED_PACKETS_OFFSET = 20;
    static final int DUPLICATES_OFFSET = 24;
    static final int RECEIVE_LEVEL_OFFSET = 26;
    static final int HINT_EPOCH_OFFSET = 27;
    static final int HINT_OFFSET = 28;
    static final int NEXT_CONNECTION_SEQUENCE_OFFSET = 32;
    static final int CREDIT_STREAM_OFFSET = 36;
    static final int ECHOED_TRANSMIT_COUNT_OFFSET = 38;
    static final int ERRORS_ISSUED_OFFSET = 39;
    static final int CREDIT_LIMIT_OFFSET = 40;
    static final int SACK_OFFSET = 44;

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

    public int nextPathSequence() {
        return int32(NEXT_PATH_SEQUENCE_OFFSET);
    }

    public void nextPathSequence(int sequence) {
        int32(NEXT_PATH_SEQUENCE_OFFSET, sequence);
    }

    public int echoedTimestamp() {
        return int32(ECHOED_TIMESTAMP_OFFSET);
    }

    public void echoedTimestamp(int timestamp) {
        int32(ECHOED_TIMESTAMP_OFFSET, timestamp);
    }

    /** Unit 256 ns, see {@link Timestamp#decodeDelayNs}. */
    public int delay() {
        return uint16(DELAY_OFFSET);
    }

    public void delay(int encoded) {
        uint16(DELAY_OFFSET, encoded);
    }

    /** CE-marked packets of this epoch, cumulative modulo 2^16. */
    public int cePackets() {
        return uint16(CE_PACKETS_OFFSET);
    }

    public void cePackets(int packets) {
        uint16(CE_PACKETS_OFFSET, packets);
    }

    /** Received packets of this epoch, duplicates included, cumulative modulo 2^32. */
    public int receivedPackets() {
        return int32(RECEIVED_PACKETS_OFFSET);
    }

    public void receivedPackets(int packets) {
        int32(RECEIVED_PACKETS_OFFSET, packets);
    }

    /** Packets of this epoch whose path sequence had been received before, cumulative modulo 2^16. */
    public int duplicates() {
        return uint16(DUPLICATES_OFFSET);
    }

    public void duplicates(int packets) {
        uint16(DUPLICATES_OFFSET, packets);
    }

    /** Occupancy of the receiver's queue, 0 empty to 255 full. */
    public int receiveLevel() {
        return uint8(RECEIVE_LEVEL_OFFSET);
    }

    public void receiveLevel(int level) {
        uint8(RECEIVE_LEVEL_OFFSET, level);
    }

    public int hintEpoch() {
        return uint8(HINT_EPOCH_OFFSET);
    }

    public void hintEpoch(int epoch) {
        uint8(HINT_EPOCH_OFFSET, epoch);
    }

    /** Fair share in Mbit/s; valid with {@link #FLAG_HINT}. */
    public int hint() {
        return int32(HINT_OFFSET);
    }

    public void hint(int megabitsPerSecond) {
        int32(HINT_OFFSET, megabitsPerSecond);
    }

    public int nextConnectionSequence() {
        return int32(NEXT_CONNECTION_SEQUENCE_OFFSET);
    }

    public void nextConnectionSequence(int sequence) {
        int32(NEXT_CONNECTION_SEQUENCE_OFFSET, sequence);
    }

    /** The stream of {@link #creditLimit}; valid with {@link #FLAG_CREDIT}. */
    public int creditStream() {
        return uint16(CREDIT_STREAM_OFFSET);
    }

    public void creditStream(int streamId) {
        uint16(CREDIT_STREAM_OFFSET, streamId);
    }

    public int echoedTransmitCount() {
        return uint8(ECHOED_TRANSMIT_COUNT_OFFSET);
    }

    public void echoedTransmitCount(int count) {
        uint8(ECHOED_TRANSMIT_COUNT_OFFSET, count);
    }

    /** ERRORs the sender of this ACK has issued on the connection, cumulative modulo 2^8. */
    public int errorsIssued() {
        return uint8(ERRORS_ISSUED_OFFSET);
    }

    public void errorsIssued(int errors) {
        uint8(ERRORS_ISSUED_OFFSET, errors);
    }

    /** Receives posted on the stream since it opened, modulo 2^32; valid with {@link #FLAG_CREDIT}. */
    public int creditLimit() {
        return int32(CREDIT_LIMIT_OFFSET);
    }

    public void creditLimit(int limit) {
        int32(CREDIT_LIMIT_OFFSET, limit);
    }

    /** One of the four words of the SACK vector, most significant bit first; valid with {@link #FLAG_SACK}. */
    public long sackWord(int word) {
        return int64(SACK_OFFSET + word * Long.BYTES);
    }

    public void sackWord(int word, long bits) {
        int64(SACK_OFFSET + word * Long.BYTES, bits);
    }

    /** Whether the path sequence {@code next + 1 + bit} has been received. */
    public boolean isSacked(int bit) {
        return (sackWord(bit >>> 6) & Long.MIN_VALUE >>> (bit & 63)) != 0;
    }
}
