// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * One parsed packet: flyweights over the checked bytes. Reused for every packet, valid until the next parse, never kept.
 * Which flyweights may be read depends on {@link #type} and, for DATA, on {@link #opcode}.
 */
public final class PacketView {
    private final DataFlyweight data = new DataFlyweight();
    private final WriteHeaderFlyweight write = new WriteHeaderFlyweight();
    private final SendHeaderFlyweight send = new SendHeaderFlyweight();
    private final ReadResponseHeaderFlyweight readResponse = new ReadResponseHeaderFlyweight();
    private final ErrorHeaderFlyweight error = new ErrorHeaderFlyweight();
    private final AckFlyweight ack = new AckFlyweight();
    private final ProbeFlyweight probe = new ProbeFlyweight();
    private final CreditFlyweight credit = new CreditFlyweight();
    private final CreditRequestFlyweight creditRequest = new CreditRequestFlyweight();
    private final PlaneStatusFlyweight planeStatus = new PlaneStatusFlyweight();
    private PacketType type = PacketType.DATA;
    private Opcode opcode = Opcode.WRITE;
    private long payloadAddress;
    private int packetBytes;

    void wrap(PacketType packetType, UnsafeBuffer packet, int offset, int length) {
        type = packetType;
        packetBytes = length;
        switch (packetType) {
            case DATA -> data.wrap(packet, offset);
            case ACK -> ack.wrap(packet, offset);
            case PROBE -> probe.wrap(packet, offset);
            case CREDIT -> credit.wrap(packet, offset);
            case CREDIT_REQUEST -> creditRequest.wrap(packet, offset);
            case PLANE_STATUS -> planeStatus.wrap(packet, offset);
        }
    }

    void wrapOperation(Opcode operation, UnsafeBuffer packet, int offset) {
        opcode = operation;
        write.wrap(packet, offset);
        send.wrap(packet, offset);
        readResponse.wrap(packet, offset);
        error.wrap(packet, offset);
        payloadAddress = packet.addressOffset() + offset + operation.headerLength();
    }

    public PacketType type() {
        return type;
    }

    /** Length of the packet in bytes, headers and checksum included. */
    public int packetBytes() {
        return packetBytes;
    }

    /** The operation of a DATA packet. */
    public Opcode opcode() {
        return opcode;
    }

    /** Address of a DATA packet's payload, {@code data().payloadLength()} bytes. */
    public long payloadAddress() {
        return payloadAddress;
    }

    /** The destination connection id, which every type has. */
    public int connectionId() {
        return switch (type) {
            case DATA -> data.connectionId();
            case ACK -> ack.connectionId();
            case PROBE -> probe.connectionId();
            case CREDIT -> credit.connectionId();
            case CREDIT_REQUEST -> creditRequest.connectionId();
            case PLANE_STATUS -> planeStatus.connectionId();
        };
    }

    public DataFlyweight data() {
        return data;
    }

    /** The operation header of WRITE and WRITE_IMM. */
    public WriteHeaderFlyweight write() {
        return write;
    }

    /** The operation header of SEND, SEND_IMM and SEND_INV. */
    public SendHeaderFlyweight send() {
        return send;
    }

    /** The operation header of READ_RESPONSE. */
    public ReadResponseHeaderFlyweight readResponse() {
        return readResponse;
    }

    /** The operation header of ERROR. */
    public ErrorHeaderFlyweight error() {
        return error;
    }

    public AckFlyweight ack() {
        return ack;
    }

    public ProbeFlyweight probe() {
        return probe;
    }

    public CreditFlyweight credit() {
        return credit;
    }

    public CreditRequestFlyweight creditRequest() {
        return creditRequest;
    }

    public PlaneStatusFlyweight planeStatus() {
        return planeStatus;
    }
}
