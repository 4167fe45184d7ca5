// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.testing.Proves;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PacketRoundTripTest {
    private final PacketParser parser = new PacketParser();
    private final PacketView view = new PacketView();

    @Property(tries = 2000)
    @Proves({"MOP-PKT-1", "MOP-PKT-3", "MOP-PKT-7"})
    void whatIsWrittenIsRead(@ForAll long seed) {
        SamplePacket packet = new RandomPackets(seed).next();

        assertThat(parsed(packet.encodedByTable())).usingRecursiveComparison().isEqualTo(packet);
    }

    @Property(tries = 2000)
    @Proves("MOP-PKT-2")
    void flyweightsAndTableWriteTheSameBytes(@ForAll long seed) {
        SamplePacket packet = new RandomPackets(seed).next();
        boolean hasFlyweights = packet.headers().stream()
                .allMatch(layout ->
                        layout == Layout.SACK || !new WireFields().of(layout).isEmpty());
        if (hasFlyweights) {
            assertThat(packet.encodedByFlyweights()).isEqualTo(packet.encodedByTable());
        }
    }

    @Property(tries = 1000)
    @Proves({"MOP-PKT-2", "MOP-RCV-4"})
    void reservedBitsAreIgnored(@ForAll long seed) {
        SamplePacket packet = new RandomPackets(seed).next();
        byte[] bytes = packet.encodedByTable();
        SplittableRandom random = new SplittableRandom(~seed);
        int at = 0;
        for (Layout layout : packet.headers()) {
            for (LayoutField field : layout.fields()) {
                if (field.isReserved()) {
                    LayoutBits.put(bytes, at, field, random.nextLong());
                }
            }
            at += layout.lengthBytes();
        }
        SamplePacket.reseal(bytes);

        assertThat(parsed(bytes)).usingRecursiveComparison().isEqualTo(packet);
    }

    @ParameterizedTest
    @EnumSource
    void everyOperationMakesARoundTrip(Opcode opcode) {
        for (long seed = 0; seed < 50; seed++) {
            SamplePacket packet = new RandomPackets(seed).data(opcode);

            assertThat(parsed(packet.encodedByTable()))
                    .as("seed %d", seed)
                    .usingRecursiveComparison()
                    .isEqualTo(packet);
            assertThat(view.opcode()).isEqualTo(opcode);
            assertThat(view.connectionId()).isEqualTo(view.data().connectionId());
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyTypeMakesARoundTrip(PacketType type) {
        for (long seed = 0; seed < 50; seed++) {
            SamplePacket packet = new RandomPackets(seed).of(type);

            assertThat(parsed(packet.encodedByTable()))
                    .as("seed %d", seed)
                    .usingRecursiveComparison()
                    .isEqualTo(packet);
            assertThat(view.type()).isEqualTo(type);
            assertThat(view.connectionId())
                    .isEqualTo(packet.fields()
                            .get(0)
                            .getOrDefault("destination connection id", 0L)
                            .intValue());
        }
    }

    private SamplePacket parsed(byte[] bytes) {
        UnsafeBuffer memory = OffHeap.copyOf(bytes);
        assertThat(parser.parse(memory, 0, bytes.length, view)).isEqualTo(ParseResult.OK);
        return SamplePacket.of(view, memory, 0, bytes.length);
    }
}
