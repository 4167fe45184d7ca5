// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.testing.Proves;
import io.metaroce.transport.recovery.SequenceWindow.Verdict;
import io.metaroce.wire.AckFlyweight;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** The window against a sorted set of plain numbers. */
class SequenceWindowPropertyTest {
    private static final int STEPS = 400;

    /** What has arrived, as numbers that never wrap. */
    private static final class Model {
        final TreeSet<Long> beyondNext = new TreeSet<>();
        final int capacity;
        long next;

        Model(int capacity, long next) {
            this.capacity = capacity;
            this.next = next;
        }

        Verdict classify(long sequence) {
            if (sequence < next || beyondNext.contains(sequence)) {
                return Verdict.DUPLICATE;
            }
            return sequence - next < capacity ? Verdict.NEW : Verdict.BEYOND;
        }

        void mark(long sequence) {
            beyondNext.add(sequence);
            while (beyondNext.remove(next)) {
                next++;
            }
        }
    }

    @Property(tries = 150)
    @Proves({"MOP-RCV-10", "MOP-RCV-11", "MOP-SEQ-1"})
    void guardsB10AndB20AWindowIsASetOfNumbersAcrossTheWrap(
            @ForAll long seed, @ForAll int first, @ForAll @IntRange(min = 6, max = 9) int capacityLog) {
        SplittableRandom random = new SplittableRandom(seed);
        int capacity = 1 << capacityLog;
        SequenceWindow window = new SequenceWindow(capacity);
        window.reset(first);
        Model model = new Model(capacity, first);
        for (int step = 0; step < STEPS; step++) {
            long sequence = model.next + random.nextInt(-20, capacity + 20);
            if (random.nextInt(4) == 0) {
                sequence = model.next;
            }
            Verdict verdict = window.classify((int) sequence);

            assertThat(verdict).as("step %d", step).isEqualTo(model.classify(sequence));
            if (verdict == Verdict.NEW) {
                window.mark((int) sequence);
                model.mark(sequence);
            }
            assertThat(window.next()).isEqualTo((int) model.next);
            assertThat(window.hasHole()).isEqualTo(!model.beyondNext.isEmpty());
        }
    }

    @Property(tries = 150)
    @Proves({"MOP-RCV-18", "MOP-PKT-10"})
    void theSackVectorSaysWhatHasArrivedBehindTheHole(@ForAll long seed, @ForAll int first) {
        SplittableRandom random = new SplittableRandom(seed);
        SequenceWindow window = new SequenceWindow(AckFlyweight.SACK_BITS);
        window.reset(first);
        Model model = new Model(AckFlyweight.SACK_BITS, first);
        AckFlyweight ack = new AckFlyweight();
        ack.wrap(new UnsafeBuffer(ByteBuffer.allocateDirect(AckFlyweight.LENGTH + AckFlyweight.SACK_LENGTH)), 0);
        for (int step = 0; step < 100; step++) {
            long sequence = model.next + random.nextInt(AckFlyweight.SACK_BITS);
            if (model.classify(sequence) == Verdict.NEW) {
                window.mark((int) sequence);
                model.mark(sequence);
            }
            window.writeSack(ack);
            for (int bit = 0; bit < AckFlyweight.SACK_BITS; bit++) {
                assertThat(ack.isSacked(bit))
                        .as("step %d bit %d", step, bit)
                        .isEqualTo(model.beyondNext.contains(model.next + 1 + bit));
            }
        }
    }

    @Test
    @Proves("MOP-RCV-10")
    void theEdgesOfAWindow() {
        SequenceWindow window = new SequenceWindow(256);
        window.reset(0xffff_ff00);

        assertThat(window.classify(0xffff_feff)).isEqualTo(Verdict.DUPLICATE);
        assertThat(window.classify(0xffff_ff00)).isEqualTo(Verdict.NEW);
        assertThat(window.classify(0xffff_ffff)).isEqualTo(Verdict.NEW);
        assertThat(window.classify(0)).isEqualTo(Verdict.BEYOND);
        assertThat(window.classify(0x7fff_feff)).isEqualTo(Verdict.BEYOND);
        assertThat(window.classify(0x7fff_ff00)).isEqualTo(Verdict.DUPLICATE);
    }

    @Test
    void aResetForgetsEverything() {
        SequenceWindow window = new SequenceWindow(256);
        window.mark(0);
        window.mark(200);

        window.reset(0);

        assertThat(window.next()).isZero();
        assertThat(window.hasHole()).isFalse();
        assertThat(window.classify(200)).isEqualTo(Verdict.NEW);
    }

    @Test
    void aWindowOfAnOddSizeIsAProgrammersError() {
        assertThatThrownBy(() -> new SequenceWindow(100)).hasMessageContaining("100");
        assertThatThrownBy(() -> new SequenceWindow(32)).hasMessageContaining("32");
    }
}
