// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.testing.Proves;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Proves({"MOP-PKT-1", "MOP-PKT-3", "MOP-PKT-4", "MOP-PKT-5", "MOP-PKT-7", "MOP-PKT-8", "MOP-PKT-10", "MOP-PKT-12"})
class GoldenPacketTest {
    private final PacketView view = new PacketView();

    @ParameterizedTest
    @MethodSource("all")
    void theParserSaysWhatTheVectorSays(GoldenPacket vector) {
        assertThat(parse(vector.bytes())).isEqualTo(vector.verdict());
        assertThat(ParserModel.verdict(vector.bytes())).isEqualTo(vector.verdict());
    }

    @ParameterizedTest
    @MethodSource("wellFormed")
    void itsBytesParseToItsFields(GoldenPacket vector) {
        byte[] bytes = vector.bytes();
        UnsafeBuffer memory = OffHeap.copyOf(bytes);

        assertThat(new PacketParser().parse(memory, 0, bytes.length, view)).isEqualTo(ParseResult.OK);
        assertThat(SamplePacket.of(view, memory, 0, bytes.length))
                .usingRecursiveComparison()
                .isEqualTo(vector.packet());
    }

    @ParameterizedTest
    @MethodSource("wellFormed")
    void itsFieldsEncodeToItsBytes(GoldenPacket vector) {
        assertThat(vector.packet().encodedByTable()).isEqualTo(vector.bytes());
        if (vector.packet().headers().stream().allMatch(GoldenPacketTest::hasFlyweight)) {
            assertThat(vector.packet().encodedByFlyweights()).isEqualTo(vector.bytes());
        }
    }

    @Test
    void everyLayoutAndEveryVerdictHasAVector() {
        List<GoldenPacket> all = GoldenPacket.all();
        Set<Layout> layouts = wellFormed()
                .flatMap(vector -> vector.packet().headers().stream())
                .collect(Collectors.toSet());

        assertThat(layouts).isEqualTo(EnumSet.allOf(Layout.class));
        assertThat(all.stream().map(GoldenPacket::verdict).collect(Collectors.toSet()))
                .isEqualTo(EnumSet.allOf(ParseResult.class));
        assertThat(all.stream().map(GoldenPacket::toString)).doesNotHaveDuplicates();
    }

    static Stream<GoldenPacket> all() {
        return GoldenPacket.all().stream();
    }

    static Stream<GoldenPacket> wellFormed() {
        return all().filter(GoldenPacket::hasFields);
    }

    private static boolean hasFlyweight(Layout layout) {
        return layout == Layout.SACK || !new WireFields().of(layout).isEmpty();
    }

    private ParseResult parse(byte[] bytes) {
        return new PacketParser().parse(OffHeap.copyOf(bytes), 0, bytes.length, view);
    }
}
