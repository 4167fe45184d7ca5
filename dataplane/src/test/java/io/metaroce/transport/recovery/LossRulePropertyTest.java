// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.testing.Proves;
import io.metaroce.wire.AckFlyweight;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * {@link SentPackets}, {@link LossEvidence} and {@link SequenceWindow} together on a simulated path, against
 * {@link LossModel}: data lost at random, ACKs lost, late and out of order.
 */
class LossRulePropertyTest {
    private static final long ROUND_TRIP = 40;
    private static final int PROBE = -1;

    /** An ACK under way. */
    private record Ack(int next, Set<Integer> sacked, long echo, long arrival) {}

    /** A packet under way; a PROBE has sequence -1. */
    private record Flight(int sequence, long sent, long arrival) {}

    /** One path with both ends; times in units of a timestamp. */
    private static final class Run {
        final SplittableRandom random;
        final int timeShift;
        final double loss;
        final boolean isFifo;
        final SentPackets sent = new SentPackets();
        final LossEvidence evidence = new LossEvidence();
        final LossModel model = new LossModel();
        final SequenceWindow arrived = new SequenceWindow(SentPackets.WINDOW);
        final Set<Integer> arrivedModel = new HashSet<>();
        final Set<Integer> delivered = new HashSet<>();
        final List<Flight> flights = new ArrayList<>();
        final List<Ack> acks = new ArrayList<>();
        final AckFlyweight ack = new AckFlyweight();
        long now = 1;
        long lastEcho = Long.MIN_VALUE;
        int spurious;

        Run(long seed, int timeShift, double loss, boolean isFifo) {
            this.random = new SplittableRandom(seed);
            this.timeShift = timeShift;
            this.loss = loss;
            this.isFifo = isFifo;
            ack.wrap(new UnsafeBuffer(ByteBuffer.allocateDirect(AckFlyweight.LENGTH + AckFlyweight.SACK_LENGTH)), 0);
        }

        void step(boolean offersNew) {
            now++;
            if (sent.lost() > 0) {
                retransmit();
            } else if (offersNew && sent.hasRoom() && random.nextInt(3) > 0) {
                int length = 40 + random.nextInt(1000);
                int sequence = sent.add(model.next * 7, model.next, -model.next, length, timestamp(now));
                assertThat(sequence).isEqualTo(model.next);
                model.onSent(length, now);
                launch(sequence);
            } else if (!sent.isEmpty() && random.nextInt(20) == 0) {
                launch(PROBE);
            }
            arrive();
            listen();
            compare();
        }

        private void retransmit() {
            int sequence = sent.oldestLost();
            assertThat(sequence).isEqualTo(model.lost().iterator().next());
            int count = sent.onRetransmitted(sequence, timestamp(now));
            model.onSentAgain(sequence, now);
            assertThat(count).isEqualTo(model.packet(sequence).transmissions);
            launch(sequence);
        }

        private void launch(int sequence) {
            if (random.nextDouble() >= loss) {
                long delay = isFifo ? ROUND_TRIP / 2 : ROUND_TRIP / 4 + random.nextInt((int) ROUND_TRIP);
                flights.add(new Flight(sequence, now, now + delay));
            }
        }

        private void arrive() {
            List<Flight> here = flights.stream().filter(f -> f.arrival() <= now).toList();
            flights.removeAll(here);
            for (Flight flight : here) {
                lastEcho = flight.sent();
                if (flight.sequence() != PROBE) {
                    boolean isNew = arrivedModel.add(flight.sequence());
                    if (isNew) {
                        arrived.mark(flight.sequence());
                    } else {
                        spurious++;
                        evidence.onSpurious();
                        model.onSpurious();
                    }
                }
                if (random.nextInt(3) == 0 || flight.sequence() == PROBE) {
                    sendAck();
                }
            }
        }

        private void sendAck() {
            if (random.nextDouble() >= loss) {
                int next = arrived.next();
                Set<Integer> sacked = new TreeSet<>();
                arrivedModel.stream().filter(sequence -> sequence > next).forEach(sacked::add);
                acks.add(new Ack(next, sacked, lastEcho, now + ROUND_TRIP / 4 + random.nextInt((int) ROUND_TRIP / 2)));
            }
        }

        private void listen() {
            List<Ack> here = acks.stream().filter(a -> a.arrival() <= now).toList();
            acks.removeAll(here);
            for (Ack one : here) {
                hear(one);
            }
        }

        private void hear(Ack one) {
            write(one);
            assertThat(sent.isPlausible(one.next())).isTrue();
            Set<Integer> heard = new HashSet<>();
            long bytes = sent.onAcknowledgement(ack, (csn, content, index) -> {
                assertThat(csn).isEqualTo(content * 7);
                assertThat(index).isEqualTo(-content);
                assertThat(heard.add(content)).isTrue();
            });
            long expectedBytes = one.sacked().stream()
                            .filter(model.unacknowledged::containsKey)
                            .mapToLong(sequence -> model.packet(sequence).length)
                            .sum()
                    + model.unacknowledged.headMap(one.next()).values().stream()
                            .mapToLong(packet -> packet.length)
                            .sum();
            assertThat(heard).isEqualTo(model.onAcknowledged(one.next(), one.sacked()));
            assertThat(bytes).isEqualTo(expectedBytes);
            assertThat(evidence.onEcho(timestamp(one.echo()))).isEqualTo(model.onEcho(one.echo()));
            delivered.addAll(heard);
            assertThat(evidence.isGuarded()).isEqualTo(model.isGuarded());
            List<Integer> expected = model.detect(now, ROUND_TRIP);
            assertThat(detect()).isEqualTo(expected.size());
            if (isFifo) {
                assertThat(expected)
                        .as("on a path that keeps order only what is really lost is declared lost")
                        .noneMatch(sequence -> arrivedModel.contains(sequence)
                                || flights.stream().anyMatch(f -> f.sequence() == sequence));
            }
        }

        /** As the sending half of a path does it. */
        private int detect() {
            if (!evidence.exists() || sent.outstanding() == 0) {
                return 0;
            }
            int threshold = evidence.threshold();
            if (evidence.isGuarded()) {
                int roundTripAgo = timestamp(now - ROUND_TRIP);
                threshold = roundTripAgo - threshold < 0 ? roundTripAgo : threshold;
            }
            int lost = sent.detectLosses(threshold);
            evidence.onLosses(lost);
            return lost;
        }

        private void write(Ack one) {
            ack.nextPathSequence(one.next());
            ack.flags(one.sacked().isEmpty() ? 0 : AckFlyweight.FLAG_SACK);
            long[] words = new long[4];
            for (int sequence : one.sacked()) {
                int bit = sequence - one.next() - 1;
                words[bit / 64] |= Long.MIN_VALUE >>> bit % 64;
            }
            for (int word = 0; word < words.length; word++) {
                ack.sackWord(word, words[word]);
            }
        }

        private void compare() {
            assertThat(sent.next()).isEqualTo(model.next);
            assertThat(sent.base())
                    .isEqualTo(model.unacknowledged.isEmpty() ? model.next : model.unacknowledged.firstKey());
            assertThat(sent.isEmpty()).isEqualTo(model.unacknowledged.isEmpty());
            assertThat(sent.lost()).isEqualTo(model.lost().size());
            assertThat(sent.outstanding())
                    .isEqualTo(model.unacknowledged.size() - model.lost().size());
            assertThat(sent.inFlightBytes()).isEqualTo(model.inFlightBytes());
            assertThat(sent.hasRoom()).isEqualTo(sent.next() - sent.base() < 256);
        }

        private int timestamp(long time) {
            return (int) (time + timeShift);
        }
    }

    @Property(tries = 40)
    @Proves({
        "MOP-LOSS-1",
        "MOP-LOSS-2",
        "MOP-LOSS-3",
        "MOP-LOSS-4",
        "MOP-LOSS-6",
        "MOP-LOSS-7",
        "MOP-SEQ-2",
        "MOP-SEQ-3"
    })
    void onAPathThatKeepsOrderTheRuleFindsExactlyWhatIsLost(
            @ForAll long seed, @ForAll int timeShift, @ForAll @IntRange(max = 30) int lossPercent) {
        Run run = new Run(seed, timeShift, lossPercent / 100.0, true);
        for (int step = 0; step < 1500; step++) {
            run.step(step < 700);
        }

        assertThat(run.spurious).as("retransmissions of what had arrived").isZero();
        assertThat(run.sent.isEmpty())
                .as("everything was repaired, tails by probes")
                .isTrue();
        assertThat(run.delivered).hasSize(run.model.next);
    }

    @Property(tries = 40)
    @Proves({"MOP-LOSS-12", "MOP-LOSS-13", "MOP-LOSS-14", "MOP-LOSS-28"})
    void whereOrderIsBrokenTheGuardAgreesWithItsModelAndNothingIsForgotten(
            @ForAll long seed, @ForAll int timeShift, @ForAll @IntRange(max = 20) int lossPercent) {
        Run run = new Run(seed, timeShift, lossPercent / 100.0, false);
        for (int step = 0; step < 2500; step++) {
            run.step(step < 500);
        }

        assertThat(run.sent.isEmpty()).isTrue();
        assertThat(run.delivered).hasSize(run.model.next);
    }

    @Test
    @Proves("MOP-LOSS-3")
    void guardsB14AllHolesOfOneAckAreFoundTogether() {
        Run run = new Run(1, 0, 0, true);
        for (int i = 0; i < 200; i++) {
            run.sent.add(i, i, 0, 100, 10 + i);
        }
        TreeSet<Integer> sacked = new TreeSet<>();
        for (int i = 1; i < 200; i += 2) {
            sacked.add(i);
        }
        run.write(new Ack(0, sacked, 209, 0));
        run.sent.onAcknowledgement(run.ack, (csn, content, index) -> {});
        run.evidence.onEcho(209);

        assertThat(run.sent.detectLosses(run.evidence.threshold())).isEqualTo(100);
        assertThat(run.sent.detectLosses(run.evidence.threshold()))
                .as("once for one piece of evidence")
                .isZero();
    }

    @Test
    @Proves("MOP-LOSS-28")
    void aStaleCumulativePointDoesNotSpoilTheVector() {
        Run run = new Run(1, 0, 0, true);
        for (int i = 0; i < 10; i++) {
            run.sent.add(i, i, 0, 100, 10 + i);
        }
        run.write(new Ack(4, new TreeSet<>(), 14, 0));
        run.sent.onAcknowledgement(run.ack, (csn, content, index) -> {});
        Set<Integer> heard = new TreeSet<>();

        run.write(new Ack(2, new TreeSet<>(List.of(3, 6)), 16, 0));
        run.sent.onAcknowledgement(run.ack, (csn, content, index) -> heard.add(content));

        assertThat(heard).containsExactly(6);
        assertThat(run.sent.base()).isEqualTo(4);
    }

    @Test
    @Proves("MOP-LOSS-27")
    void anAckOfWhatWasNeverSentIsNotPlausibleAndItsBitsAreIgnored() {
        SentPackets sent = new SentPackets();
        sent.add(0, 0, 0, 100, 1);

        assertThat(sent.isPlausible(1)).isTrue();
        assertThat(sent.isPlausible(2)).isFalse();
        assertThat(sent.isPlausible(Integer.MIN_VALUE)).isFalse();
        Run run = new Run(1, 0, 0, true);
        run.write(new Ack(0, new TreeSet<>(List.of(5, 250)), 1, 0));
        assertThat(sent.onAcknowledgement(run.ack, (csn, content, index) -> {})).isZero();
        assertThat(sent.outstanding()).isEqualTo(1);
    }
}
