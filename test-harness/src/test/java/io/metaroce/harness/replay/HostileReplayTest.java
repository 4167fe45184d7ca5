// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.link.LinkParser;
import io.metaroce.link.LinkType;
import io.metaroce.link.LinkView;
import io.metaroce.pcap.CaptureReader;
import io.metaroce.pcap.PacketDirection;
import io.metaroce.pcap.PacketRecord;
import io.metaroce.transport.connection.BrokenRule;
import io.metaroce.wire.Crc32c;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The corpus from a peer gone bad: its own packets, its own address, headers changed, checksums right. */
class HostileReplayTest {
    private static final int SEEDS = 40;
    private static final int[] MUTATED_PER_MILLE = {3, 10, 40, 150};
    private static final int HEADER_BYTES = 56;
    private static final int PACKETS_PER_TURN_MAX = 10_000;

    static List<Scenario> scenarios() {
        return Scenario.ALL;
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void mutatedHeadersNeverThrowNeverHangAndNeverTouchAByteOutsideTheRegion(Scenario scenario) throws IOException {
        byte[] capture =
                Files.readAllBytes(Path.of("src", "test", "resources", "captures", scenario.name() + ".pcapng"));
        int survivors = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Endpoint victim = new Endpoint(scenario.receiver(BrokenRule.NONE));
            replay(capture, scenario, victim, new Seeded(seed), MUTATED_PER_MILLE[seed % MUTATED_PER_MILLE.length]);

            assertThat(victim.isGuardIntact()).as("guard, seed %d", seed).isTrue();
            survivors += victim.connection().lossReason() == null ? 1 : 0;
        }
        // Some seeds break a window and end the connection by its reason, some do not; all one way would test half of
        // it.
        assertThat(survivors).isBetween(1, SEEDS - 1);
    }

    private static void replay(byte[] capture, Scenario scenario, Endpoint victim, Seeded random, int perMille)
            throws IOException {
        CaptureReader reader = new CaptureReader(Channels.newChannel(new ByteArrayInputStream(capture)));
        PacketRecord record = new PacketRecord();
        LinkParser link = new LinkParser();
        LinkView view = new LinkView();
        Crc32c crc = new Crc32c();
        UnsafeBuffer packet = new UnsafeBuffer(BufferUtil.allocateDirectAligned(2048, 64));
        boolean isOpen = false;
        while (reader.next(record)) {
            if (!isOpen) {
                victim.connection().open(record.timeNs());
                isOpen = true;
            }
            if (record.direction() == PacketDirection.OUTBOUND) {
                continue;
            }
            link.parse(LinkType.ETHERNET, record.data(), 0, record.capturedLength(), view);
            int length = view.payloadLength();
            packet.putBytes(0, record.data(), view.payloadOffset(), length);
            if (random.happens(perMille)) {
                for (int i = 1 + random.below(3); i > 0; i--) {
                    packet.putByte(random.below(Math.min(HEADER_BYTES, length)), (byte) random.next());
                }
                // The connection id stays, or nothing would reach the connection.
                packet.putInt(4, Plan.RECEIVER_ID, ByteOrder.BIG_ENDIAN);
                crc.seal(packet, length - Crc32c.LENGTH);
            }
            victim.onHostilePacket(packet, length, scenario, record.timeNs());
            victim.onTurnEnd(record.timeNs());
            int sent = 0;
            while (victim.poll(record.timeNs()) > 0) {
                sent++;
                assertThat(sent).as("packets of one turn").isLessThan(PACKETS_PER_TURN_MAX);
            }
        }
    }
}
