// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The only reader of untrusted bytes: every length, code and range that the rest of the code relies on is checked here,
 * once. Below this line the accessors cannot fail. One parser for each lane.
 */
public final class PacketParser {
    /** Largest payload of a DATA packet in bytes. */
    public static final int PAYLOAD_MAX = 8192;
    /** Largest message in bytes (2^31, as verbs allow). */
    public static final long MESSAGE_MAX = 1L << 31;
    /** Largest packet in bytes. */
    public static final int PACKET_MAX = DataFlyweight.LENGTH + Opcode.HEADER_LENGTH_MAX + PAYLOAD_MAX + Crc32c.LENGTH;

    private final Crc32c crc;

    public PacketParser() {
        this(new Crc32c());
    }

    /**
     * @param crc judges every packet's checksum; {@link Crc32c#countedOnly} where payload is not carried
     */
    public PacketParser(Crc32c crc) {
        this.crc = crc;
    }

    /**
     * Checks one packet and points the view at it.
     *
     * @param packet off-heap memory
     * @param offset of the packet's first byte
     * @param length of the packet in bytes, the checksum included
     * @return {@link ParseResult#OK}, or why the packet must be dropped; the view is then meaningless
     */
    public ParseResult parse(UnsafeBuffer packet, int offset, int length, PacketView view) {
        // MOP-PKT-1, MOP-PKT-4, MOP-RCV-3, MOP-SEC-5
        if (length < MopFlyweight.COMMON_LENGTH + Crc32c.LENGTH) {
            return ParseResult.TOO_SHORT;
        }
        int versionAndType = packet.getByte(offset + MopFlyweight.VERSION_TYPE_OFFSET) & 0xff;
        if (versionAndType >>> 4 != MopFlyweight.VERSION) {
            return ParseResult.UNKNOWN_VERSION;
        }
        // MOP-PKT-5
        if (!PacketType.isKnown(versionAndType & 0xf)) {
            return ParseResult.UNKNOWN_TYPE;
        }
        if (length > PACKET_MAX) {
            return isMerged(packet, offset, length, view) ? ParseResult.MERGED : ParseResult.BAD_LENGTH;
        }
        // MOP-ENC-22: whatever the UDP checksum said
        if (!crc.isSealed(packet, offset, length)) {
            return isMerged(packet, offset, length, view) ? ParseResult.MERGED : ParseResult.BAD_CHECKSUM;
        }
        PacketType type = PacketType.of(versionAndType & 0xf);
        int contentLength = length - Crc32c.LENGTH;
        if (contentLength < fixedLength(type)) {
            return ParseResult.TOO_SHORT;
        }
        view.wrap(type, packet, offset, length);
        return switch (type) {
            case DATA -> parseData(packet, offset, contentLength, view);
            case CREDIT -> parseCredit(contentLength, view);
            case ACK, PROBE, CREDIT_REQUEST, PLANE_STATUS -> exact(contentLength, statedLength(type, view));
        };
    }

    /**
     * MOP-RCV-3: whether a whole packet is followed by the head of another, as receive coalescing leaves them that forgot
     * their size. Only datagrams that are dropped anyway come here; they cost a second checksum at most.
     */
    private boolean isMerged(UnsafeBuffer datagram, int offset, int length, PacketView view) {
        PacketType type = PacketType.of(datagram.getByte(offset + MopFlyweight.VERSION_TYPE_OFFSET) & 0xf);
        if (length < fixedLength(type)) {
            return false;
        }
        view.wrap(type, datagram, offset, length);
        int firstLength = statedLength(type, view) + Crc32c.LENGTH;
        if (firstLength + MopFlyweight.COMMON_LENGTH > length) {
            return false;
        }
        int second = datagram.getByte(offset + firstLength + MopFlyweight.VERSION_TYPE_OFFSET) & 0xff;
        return second >>> 4 == MopFlyweight.VERSION
                && PacketType.isKnown(second & 0xf)
                && parse(datagram, offset, firstLength, view) == ParseResult.OK;
    }

    /** What a packet's headers say of its length, in bytes without the checksum; its fixed part is there to be read. */
    private static int statedLength(PacketType type, PacketView view) {
        return switch (type) {
            case DATA ->
                DataFlyweight.LENGTH
                        + operationLength(view.data())
                        + view.data().payloadLength();
            case ACK -> ackLength(view.ack());
            case PROBE -> ProbeFlyweight.LENGTH + view.probe().paddingLength();
            case CREDIT -> CreditFlyweight.LENGTH + view.credit().entries() * CreditFlyweight.ENTRY_LENGTH;
            case CREDIT_REQUEST -> CreditRequestFlyweight.LENGTH;
            case PLANE_STATUS -> PlaneStatusFlyweight.LENGTH;
        };
    }

    private static int operationLength(DataFlyweight data) {
        @Nullable Opcode opcode = Opcode.of(data.opcode());
        return opcode == null ? 0 : opcode.headerLength();
    }

    private static ParseResult parseData(UnsafeBuffer packet, int offset, int contentLength, PacketView view) {
        DataFlyweight data = view.data();
        @Nullable Opcode opcode = Opcode.of(data.opcode());
        if (opcode == null) {
            return ParseResult.UNKNOWN_OPCODE;
        }
        // MOP-PKT-7
        int headersLength = DataFlyweight.LENGTH + opcode.headerLength();
        if (contentLength < headersLength) {
            return ParseResult.TOO_SHORT;
        }
        int payloadLength = data.payloadLength();
        if (payloadLength > PAYLOAD_MAX || contentLength != headersLength + payloadLength) {
            return ParseResult.BAD_LENGTH;
        }
        if (data.transmitCount() == 0) {
            return ParseResult.BAD_FIELD;
        }
        view.wrapOperation(opcode, packet, offset + DataFlyweight.LENGTH);
        return operationIsConsistent(opcode, payloadLength, view) ? ParseResult.OK : ParseResult.BAD_FIELD;
    }

    /** MOP-PKT-8: a message that contradicts itself within one packet. */
    private static boolean operationIsConsistent(Opcode opcode, int payloadLength, PacketView view) {
        return switch (opcode) {
            case WRITE, WRITE_IMM -> fits(0, payloadLength, view.write().messageLength());
            case SEND, SEND_IMM, SEND_INV ->
                fits(view.send().messageOffset(), payloadLength, view.send().messageLength());
            case READ_RESPONSE ->
                fits(
                        view.readResponse().messageOffset(),
                        payloadLength,
                        view.readResponse().messageLength());
            default -> payloadLength == 0;
        };
    }

    private static boolean fits(long messageOffset, int payloadLength, long messageLength) {
        return messageLength <= MESSAGE_MAX
                && messageOffset + payloadLength <= messageLength
                && (payloadLength > 0 || messageLength == 0);
    }

    private static ParseResult parseCredit(int contentLength, PacketView view) {
        // MOP-PKT-12
        if (view.credit().entries() > CreditFlyweight.ENTRIES_MAX) {
            return ParseResult.BAD_FIELD;
        }
        return exact(contentLength, statedLength(PacketType.CREDIT, view));
    }

    private static int ackLength(AckFlyweight ack) {
        // MOP-PKT-10
        return ack.hasFlag(AckFlyweight.FLAG_SACK)
                ? AckFlyweight.LENGTH + AckFlyweight.SACK_LENGTH
                : AckFlyweight.LENGTH;
    }

    private static ParseResult exact(int contentLength, int expectedLength) {
        return contentLength == expectedLength ? ParseResult.OK : ParseResult.BAD_LENGTH;
    }

    private static int fixedLength(PacketType type) {
        return switch (type) {
            case DATA -> DataFlyweight.LENGTH;
            case ACK -> AckFlyweight.LENGTH;
            case PROBE -> ProbeFlyweight.LENGTH;
            case CREDIT -> CreditFlyweight.LENGTH;
            case CREDIT_REQUEST -> CreditRequestFlyweight.LENGTH;
            case PLANE_STATUS -> PlaneStatusFlyweight.LENGTH;
        };
    }
}
