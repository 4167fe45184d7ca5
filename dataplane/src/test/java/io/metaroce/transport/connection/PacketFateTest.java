// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.ConnectionCounters;
import io.metaroce.transport.congestion.FixedWindow;
import io.metaroce.wire.PacketParser;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.ParseResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What single packets can suffer: a copy at the wrong moment, the loss of each in turn, a path far behind the others. */
class PacketFateTest {
    private static final int PAYLOAD = 256;
    private static final long DELAY_NS = 5_000;
    private static final int WINDOW_PACKETS = 64;
    private static final byte POISON = (byte) 0xa5;

    @Test
    void guardsB01ACopyOfAnEarlierMessageWithinAMessageChangesNothing() {
        JoinedConnections joined = joined((number, packet) -> DELAY_NS + number * 100, 1);
        joined.write(PAYLOAD);
        JoinedConnections.Flight first = firstData(joined);
        long sentBefore = joined.sent;
        long errors = joined.right.counters.get(ConnectionCounter.ERRORS_ISSUED);

        // Packets of the next message arrive 100 ns apart; the copy comes between the first two of them.
        joined.repeat(first, joined.nowNs + DELAY_NS + (sentBefore + 2) * 100 + 50);
        joined.write(3 * PAYLOAD);

        assertThat(joined.right.counters.get(ConnectionCounter.RX_PATH_DUPLICATES))
                .isEqualTo(1);
        assertThat(joined.right.counters.get(ConnectionCounter.ERRORS_ISSUED)).isEqualTo(errors);
        assertThat(retransmitted(joined.left.counters)).isZero();
    }

    @Test
    void guardsB51ACopyThatArrivesASecondAfterTheCompletionTouchesNoByte() {
        // MOP-RCV-15, MOP-RCV-9
        JoinedConnections joined = joined((number, packet) -> DELAY_NS, 1);
        joined.write(3 * PAYLOAD);
        joined.nowNs += 1_000_000_000L;
        joined.right.memory.setMemory(0, 4 * PAYLOAD, POISON);

        for (JoinedConnections.Flight flight : joined.flights) {
            joined.arrive(flight);
        }

        for (int i = 0; i < 4 * PAYLOAD; i++) {
            assertThat(joined.right.memory.getByte(i)).isEqualTo(POISON);
        }
        assertThat(joined.right.counters.get(ConnectionCounter.RX_PATH_DUPLICATES))
                .isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void guardsB50ThePacketThatWasLostIsTheOnlyOneSentAgain(int lost) {
        // MOP-LOSS-3, MOP-LOSS-8
        long[] dataPackets = {0};
        JoinedConnections joined = joined(
                (number, packet) -> packet.type() == PacketType.DATA && isFirst(packet) && dataPackets[0]++ == lost
                        ? JoinedConnections.Fate.LOST
                        : DELAY_NS,
                2);

        joined.write(3 * PAYLOAD - 100);

        assertThat(retransmitted(joined.left.counters)).isEqualTo(1);
        assertThat(joined.right.counters.get(ConnectionCounter.RX_PAYLOAD_BYTES))
                .isEqualTo(3 * PAYLOAD - 100);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 200, 1_000, 16_000})
    void guardsB11PacketsOvertakenByAWindowOfOthersAreNeitherDroppedNorRepeated(int displacement) {
        // MOP-STR-7
        // The fast path turns its window over once in two delays; the slow one is that much slower.
        long slowNs = DELAY_NS + 3L * displacement / WINDOW_PACKETS * 2 * DELAY_NS;
        JoinedConnections joined = new JoinedConnections(
                (number, packet) -> pathOf(packet) == 1 ? slowNs : DELAY_NS,
                2,
                PAYLOAD,
                (path, initial, limit) -> new FixedWindow(WINDOW_PACKETS * PAYLOAD));

        // The first question to the slow path may time out: nobody knows yet how slow it is.
        joined.settle();
        long timeouts = joined.left.counters.get(ConnectionCounter.ACK_TIMEOUTS);
        joined.write(1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20);

        assertThat(mostOvertaken(joined)).isGreaterThanOrEqualTo(displacement);
        assertThat(retransmitted(joined.left.counters)).isZero();
        assertThat(joined.left.counters.get(ConnectionCounter.ACK_TIMEOUTS)).isEqualTo(timeouts);
        assertThat(joined.right.counters.get(ConnectionCounter.RX_DROPPED_CONNECTION_WINDOW))
                .isZero();
        assertThat(joined.right.counters.get(ConnectionCounter.RX_DUPLICATES)).isZero();
    }

    private static int pathOf(PacketView packet) {
        return switch (packet.type()) {
            case DATA -> packet.data().pathId();
            case ACK -> packet.ack().pathId();
            case PROBE -> packet.probe().pathId();
            default -> 0;
        };
    }

    /** By how many connection sequences the most overtaken packet came late. */
    private static int mostOvertaken(JoinedConnections joined) {
        PacketParser parser = new PacketParser();
        PacketView view = new PacketView();
        int highest = 0;
        int most = 0;
        for (JoinedConnections.Flight flight : joined.flights.stream().sorted().toList()) {
            assertThat(parser.parse(flight.memory(), 0, flight.length(), view)).isEqualTo(ParseResult.OK);
            if (view.type() == PacketType.DATA) {
                highest = Math.max(highest, view.data().connectionSequence());
                most = Math.max(most, highest - view.data().connectionSequence());
            }
        }
        return most;
    }

    private static JoinedConnections joined(JoinedConnections.Fate fate, int paths) {
        return new JoinedConnections(fate, paths, PAYLOAD, (path, initial, limit) -> new FixedWindow(1 << 20));
    }

    private static boolean isFirst(PacketView packet) {
        return packet.data().transmitCount() == 1;
    }

    private static JoinedConnections.Flight firstData(JoinedConnections joined) {
        for (JoinedConnections.Flight flight : joined.flights) {
            if ((flight.memory().getByte(0) & 0xf) == PacketType.DATA.code()) {
                return flight;
            }
        }
        throw new AssertionError("no DATA was sent");
    }

    private static long retransmitted(ConnectionCounters counters) {
        return counters.get(ConnectionCounter.TX_RETRANSMITTED_SACK)
                + counters.get(ConnectionCounter.TX_RETRANSMITTED_PROBE)
                + counters.get(ConnectionCounter.TX_RETRANSMITTED_MOVED);
    }
}
