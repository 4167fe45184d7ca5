// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.testing.Proves;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The flyweights write and read exactly the bits that the table of layouts says")
class LayoutTest {
    private static final int ROUNDS = 64;
    /** Operations whose behaviour comes later; the vector is read by words. */
    private static final EnumSet<Layout> WITHOUT_FLYWEIGHT =
            EnumSet.of(Layout.READ_REQUEST, Layout.COMPARE_SWAP, Layout.FETCH_ADD, Layout.ATOMIC_RESPONSE, Layout.SACK);

    private final WireFields fields = new WireFields();

    @ParameterizedTest
    @EnumSource
    void headersAreWholeBytesWithoutGapsOrOverlaps(Layout layout) {
        int nextBit = 0;
        for (LayoutField field : layout.fields()) {
            assertThat(field.bitOffset()).as(field.name()).isEqualTo(nextBit);
            nextBit += field.bits();
        }
        assertThat(nextBit).isEqualTo(layout.lengthBytes() * Byte.SIZE);
    }

    @ParameterizedTest
    @EnumSource
    void everyFieldThatIsNotReservedHasAnAccessor(Layout layout) {
        var expected = WITHOUT_FLYWEIGHT.contains(layout)
                ? Stream.<String>empty()
                : layout.fields().stream().filter(f -> !f.isReserved()).map(LayoutField::name);

        assertThat(fields.of(layout).keySet()).containsExactlyInAnyOrderElementsOf(expected.toList());
    }

    @ParameterizedTest
    @MethodSource("withFlyweight")
    void aSetterChangesItsFieldAndAtMostClearsReservedBits(Layout layout) {
        SplittableRandom random = new SplittableRandom(0x5eed ^ layout.name().hashCode());
        fields.of(layout).forEach((name, access) -> {
            LayoutField field = layout.named(name);
            for (int round = 0; round < ROUNDS; round++) {
                byte[] before = new byte[layout.lengthBytes()];
                random.nextBytes(before);
                boolean setsVersionToo = name.equals("type");
                if (setsVersionToo) {
                    LayoutBits.put(before, 0, layout.named("version"), MopFlyweight.VERSION);
                }
                UnsafeBuffer memory = enclosed(layout, before);
                long value = validValue(layout, field, random);

                access.set().accept(name.equals("version") ? MopFlyweight.VERSION : value);

                byte[] expected = before.clone();
                if (!name.equals("version")) {
                    LayoutBits.put(expected, 0, field, value);
                }
                byte[] after = header(memory, layout);
                clearReserved(layout, expected);
                clearReserved(layout, after);
                assertThat(after).as("%s.%s = %x", layout, name, value).isEqualTo(expected);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("withFlyweight")
    void aGetterReadsItsFieldWhateverStandsAround(Layout layout) {
        SplittableRandom random = new SplittableRandom(0x9e77 ^ layout.name().hashCode());
        fields.of(layout).forEach((name, access) -> {
            for (int round = 0; round < ROUNDS; round++) {
                byte[] bytes = new byte[layout.lengthBytes()];
                random.nextBytes(bytes);
                enclosed(layout, bytes);

                assertThat(access.get().getAsLong())
                        .as("%s.%s", layout, name)
                        .isEqualTo(LayoutBits.get(bytes, 0, layout.named(name)));
            }
        });
    }

    @Test
    @Proves("MOP-PKT-2")
    void settingAllFieldsLeavesNoReservedBitSet() {
        for (Layout layout : withFlyweight().toList()) {
            byte[] ones = new byte[layout.lengthBytes()];
            Arrays.fill(ones, (byte) 0xff);
            UnsafeBuffer memory = enclosed(layout, ones);
            SplittableRandom random = new SplittableRandom(layout.ordinal());

            fields.of(layout)
                    .forEach((name, access) -> access.set().accept(validValue(layout, layout.named(name), random)));

            byte[] after = header(memory, layout);
            layout.fields().stream()
                    .filter(LayoutField::isReserved)
                    .forEach(field -> assertThat(LayoutBits.get(after, 0, field))
                            .as("%s reserved at bit %d", layout, field.bitOffset())
                            .isZero());
        }
    }

    @Test
    void lengthsAreThoseOfTheFlyweights() {
        assertThat(Layout.DATA.lengthBytes()).isEqualTo(DataFlyweight.LENGTH);
        assertThat(Layout.ACK.lengthBytes()).isEqualTo(AckFlyweight.LENGTH);
        assertThat(Layout.SACK.lengthBytes()).isEqualTo(AckFlyweight.SACK_LENGTH);
        assertThat(Layout.PROBE.lengthBytes()).isEqualTo(ProbeFlyweight.LENGTH);
        assertThat(Layout.CREDIT.lengthBytes()).isEqualTo(CreditFlyweight.LENGTH);
        assertThat(Layout.CREDIT_ENTRY.lengthBytes()).isEqualTo(CreditFlyweight.ENTRY_LENGTH);
        assertThat(Layout.CREDIT_REQUEST.lengthBytes()).isEqualTo(CreditRequestFlyweight.LENGTH);
        assertThat(Layout.PLANE_STATUS.lengthBytes()).isEqualTo(PlaneStatusFlyweight.LENGTH);
        for (Opcode opcode : Opcode.values()) {
            assertThat(Layout.valueOf(opcode.name()).lengthBytes())
                    .as("%s", opcode)
                    .isEqualTo(opcode.headerLength());
        }
        assertThat(Arrays.stream(Opcode.values()).mapToInt(Opcode::headerLength).max())
                .hasValue(Opcode.HEADER_LENGTH_MAX);
    }

    @Test
    void flagBitsAreNumberedFromTheLeastSignificant() {
        assertThat(Layout.DATA.flags()).containsExactly("ACK_REQUEST", "RETRANSMIT", "MESSAGE_END", "SOLICITED");
        assertThat(new int[] {
                    DataFlyweight.FLAG_ACK_REQUEST,
                    DataFlyweight.FLAG_RETRANSMIT,
                    DataFlyweight.FLAG_MESSAGE_END,
                    DataFlyweight.FLAG_SOLICITED
                })
                .containsExactly(1, 2, 4, 8);
        assertThat(Layout.ACK.flags()).containsExactly("SACK", "HINT", "CREDIT", "DETOUR");
        assertThat(new int[] {
                    AckFlyweight.FLAG_SACK, AckFlyweight.FLAG_HINT, AckFlyweight.FLAG_CREDIT, AckFlyweight.FLAG_DETOUR
                })
                .containsExactly(1, 2, 4, 8);
        assertThat(Layout.PROBE.flags()).containsExactly("ANY_PATH");
        assertThat(ProbeFlyweight.FLAG_ANY_PATH).isEqualTo(1);
    }

    @Test
    @Proves("MOP-RCV-18")
    void theSackVectorHasItsMostSignificantBitFirst() {
        UnsafeBuffer memory = OffHeap.of(AckFlyweight.LENGTH + AckFlyweight.SACK_LENGTH);
        AckFlyweight ack = new AckFlyweight();
        ack.wrap(memory, 0);
        for (int bit = 0; bit < AckFlyweight.SACK_BITS; bit++) {
            memory.setMemory(0, memory.capacity(), (byte) 0);
            ack.sackWord(bit / 64, Long.MIN_VALUE >>> bit % 64);

            assertThat(memory.getByte(AckFlyweight.LENGTH + bit / 8) & 0xff).isEqualTo(0x80 >>> bit % 8);
            for (int other = 0; other < AckFlyweight.SACK_BITS; other++) {
                assertThat(ack.isSacked(other)).isEqualTo(other == bit);
            }
        }
    }

    @Test
    @Proves("MOP-SEQ-13")
    void theTransmitCountSaturates() {
        DataFlyweight data = new DataFlyweight();
        data.wrap(OffHeap.of(DataFlyweight.LENGTH), 0);

        data.transmitCount(255);
        assertThat(data.transmitCount()).isEqualTo(255);
        data.transmitCount(256);
        assertThat(data.transmitCount()).isEqualTo(255);
        data.transmitCount(Integer.MAX_VALUE);
        assertThat(data.transmitCount()).isEqualTo(255);
    }

    static Stream<Layout> withFlyweight() {
        return Arrays.stream(Layout.values()).filter(layout -> !WITHOUT_FLYWEIGHT.contains(layout));
    }

    /** Memory that ends where the header ends; before it stands what the flyweight of a part needs. */
    private UnsafeBuffer enclosed(Layout layout, byte[] header) {
        int offset = layout == Layout.CREDIT_ENTRY ? CreditFlyweight.LENGTH : 3;
        UnsafeBuffer memory = OffHeap.of(offset + header.length);
        memory.putBytes(offset, header);
        fields.wrap(layout, memory, offset);
        return memory;
    }

    private static byte[] header(UnsafeBuffer memory, Layout layout) {
        byte[] bytes = new byte[layout.lengthBytes()];
        memory.getBytes(memory.capacity() - bytes.length, bytes);
        return bytes;
    }

    private static void clearReserved(Layout layout, byte[] header) {
        layout.fields().stream().filter(LayoutField::isReserved).forEach(field -> LayoutBits.put(header, 0, field, 0));
    }

    private static long validValue(Layout layout, LayoutField field, SplittableRandom random) {
        return switch (field.name()) {
            case "version" -> MopFlyweight.VERSION;
            case "type" -> PacketType.valueOf(layout.name()).code();
            case "opcode" -> Opcode.values()[random.nextInt(Opcode.values().length)].code();
            case "syndrome" -> Syndrome.values()[random.nextInt(Syndrome.values().length)].code();
            default -> random.nextLong() >>> (Long.SIZE - field.bits());
        };
    }

    @Test
    void everyPacketTypeAndOperationHasALayout() {
        var names = Arrays.stream(Layout.values()).map(Enum::name).collect(Collectors.toSet());
        assertThat(Arrays.stream(PacketType.values()).map(Enum::name)).allMatch(names::contains);
        assertThat(Arrays.stream(Opcode.values()).map(Enum::name)).allMatch(names::contains);
    }
}
