// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import static io.metaroce.wire.LayoutField.field;
import static io.metaroce.wire.LayoutField.reserved;

import java.util.ArrayList;
import java.util.List;

/**
 * Every header of MOP/1 as a table: which field stands at which bit. The flyweights, the specification's pictures and any
 * dissector are checked against it; nothing on a lane reads it.
 */
public enum Layout {
    DATA(
            List.of("ACK_REQUEST", "RETRANSMIT", "MESSAGE_END", "SOLICITED"),
            field("version", 4),
            field("type", 4),
            field("flags", 8),
            field("path id", 8),
            field("epoch", 8),
            field("destination connection id", 32),
            field("path sequence", 32),
            field("connection sequence", 32),
            field("transmit timestamp", 32),
            field("stream id", 16),
            field("opcode", 8),
            field("backlog", 8),
            field("message sequence", 32),
            field("payload length", 16),
            field("transmit count", 8),
            reserved(8)),
    ACK(
            List.of("SACK", "HINT", "CREDIT", "DETOUR"),
            field("version", 4),
            field("type", 4),
            field("flags", 8),
            field("path id", 8),
            field("epoch", 8),
            field("destination connection id", 32),
            field("next expected path sequence", 32),
            field("echoed timestamp", 32),
            field("ACK delay", 16),
            field("CE-marked packets", 16),
            field("received packets", 32),
            field("path-sequence duplicates", 16),
            field("receive level", 8),
            field("hint epoch", 8),
            field("hint", 32),
            field("next expected connection sequence", 32),
            field("credit stream id", 16),
            field("echoed count", 8),
            field("errors issued", 8),
            field("posted-receive limit", 32)),
    SACK(List.of(), field("SACK vector", 256)),
    PROBE(
            List.of("ANY_PATH"),
            field("version", 4),
            field("type", 4),
            field("flags", 8),
            field("path id", 8),
            field("epoch", 8),
            field("destination connection id", 32),
            field("transmit timestamp", 32),
            field("padding length", 16),
            reserved(16)),
    CREDIT(
            List.of(),
            field("version", 4),
            field("type", 4),
            field("flags", 8),
            field("entries", 16),
            field("destination connection id", 32)),
    CREDIT_ENTRY(List.of(), field("stream id", 16), reserved(16), field("posted-receive limit", 32)),
    CREDIT_REQUEST(
            List.of(),
            field("version", 4),
            field("type", 4),
            field("flags", 8),
            field("stream id", 16),
            field("destination connection id", 32),
            field("known limit", 32)),
    PLANE_STATUS(
            List.of(),
            field("version", 4),
            field("type", 4),
            field("flags", 8),
            reserved(16),
            field("destination connection id", 32),
            field("sequence", 32),
            field("usable planes", 32)),
    WRITE(List.of(), field("remote address", 64), field("rkey", 32), field("message length", 32)),
    WRITE_IMM(
            List.of(),
            field("remote address", 64),
            field("rkey", 32),
            field("message length", 32),
            field("receive number", 32),
            field("immediate", 32)),
    SEND(List.of(), field("receive number", 32), field("message offset", 32), field("message length", 32)),
    SEND_IMM(
            List.of(),
            field("receive number", 32),
            field("message offset", 32),
            field("message length", 32),
            field("immediate", 32)),
    SEND_INV(
            List.of(),
            field("receive number", 32),
            field("message offset", 32),
            field("message length", 32),
            field("rkey", 32)),
    READ_REQUEST(List.of(), field("remote address", 64), field("rkey", 32), field("length", 32)),
    READ_RESPONSE(List.of(), field("message offset", 32), field("message length", 32)),
    COMPARE_SWAP(
            List.of(),
            field("remote address", 64),
            field("rkey", 32),
            reserved(32),
            field("operand", 64),
            field("compare", 64)),
    FETCH_ADD(List.of(), field("remote address", 64), field("rkey", 32), reserved(32), field("operand", 64)),
    ATOMIC_RESPONSE(List.of(), field("original value", 64)),
    ERROR(List.of(), field("syndrome", 8), reserved(24));

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<String> flags;

    @SuppressWarnings("ImmutableEnumChecker") // List.copyOf
    private final List<LayoutField> fields;

    private final int lengthBits;

    Layout(List<String> flags, LayoutField... fields) {
        this.flags = flags;
        List<LayoutField> placed = new ArrayList<>();
        int bitOffset = 0;
        for (LayoutField field : fields) {
            placed.add(field.at(bitOffset));
            bitOffset += field.bits();
        }
        this.fields = List.copyOf(placed);
        this.lengthBits = bitOffset;
    }

    /** The header's fields, reserved ones included, in wire order. */
    public List<LayoutField> fields() {
        return fields;
    }

    /** Names of the defined bits of the field {@code flags}, from the least significant one; empty if there are none. */
    public List<String> flags() {
        return flags;
    }

    /** Bytes of the header. */
    public int lengthBytes() {
        return lengthBits / Byte.SIZE;
    }

    /** The field of a name. */
    public LayoutField named(String name) {
        for (LayoutField field : fields) {
            if (field.name().equals(name)) {
                return field;
            }
        }
        throw new IllegalArgumentException(this + " has no field " + name);
    }
}
