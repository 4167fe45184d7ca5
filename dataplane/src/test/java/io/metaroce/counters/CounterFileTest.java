// SPDX-License-Identifier: Apache-2.0
package io.metaroce.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class CounterFileTest {
    private static final int SLOTS = 3;
    private static final int PATHS = 8;
    private static final CounterFile.Shape SHAPE = new CounterFile.Shape(2, SLOTS, PATHS);

    private final UnsafeBuffer memory = new UnsafeBuffer(BufferUtil.allocateDirectAligned(SHAPE.bytes(), 64));
    private final CounterFile file = CounterFile.format(memory, "left", 42, 1_000, SHAPE);

    @Test
    void aReaderSeesWhatTheWriterCounts() {
        int slot = file.claim(0xabcd, "10.0.0.7", 4);
        file.counters(slot).connection().add(ConnectionCounter.TX_PACKETS.ordinal(), 9);
        file.counters(slot).paths().add(PathCounter.TX_BYTES.of(3), 77);
        file.lane(1).increment(LaneCounter.CYCLES.ordinal());

        CounterFile read = CounterFile.read(memory);

        assertThat(read.name()).isEqualTo("left");
        assertThat(read.processId()).isEqualTo(42);
        assertThat(read.startMs()).isEqualTo(1_000);
        assertThat(read.connectionId(slot)).isEqualTo(0xabcd);
        assertThat(read.peer(slot)).isEqualTo("10.0.0.7");
        assertThat(read.counters(slot).pathCount()).isEqualTo(4);
        assertThat(read.counters(slot).get(ConnectionCounter.TX_PACKETS)).isEqualTo(9);
        assertThat(read.counters(slot).get(PathCounter.TX_BYTES, 3)).isEqualTo(77);
        assertThat(read.lane(0).get(LaneCounter.CYCLES.ordinal())).isZero();
        assertThat(read.lane(1).get(LaneCounter.CYCLES.ordinal())).isEqualTo(1);
    }

    @Test
    void aSlotStartsAtZeroAndItsGenerationTellsItsConnectionsApart() {
        int slot = file.claim(1, "a", PATHS);
        long first = file.generation(slot);
        file.counters(slot).connection().add(ConnectionCounter.RX_BYTES.ordinal(), 5);
        file.release(slot);

        assertThat(file.generation(slot) & 1).as("nobody lives there").isZero();
        assertThat(file.counters(slot).get(ConnectionCounter.RX_BYTES))
                .as("still readable")
                .isEqualTo(5);

        int again = file.claim(2, "b", PATHS);
        while (again != slot) {
            again = file.claim(3, "c", PATHS);
        }

        assertThat(file.generation(slot)).isEqualTo(first + 2);
        assertThat(file.counters(slot).get(ConnectionCounter.RX_BYTES)).isZero();
    }

    @Test
    void aFullFileSaysSoAndTakesTheNextWhenOneLeaves() {
        int middle = -1;
        for (int i = 0; i < SLOTS; i++) {
            int slot = file.claim(i, "peer", PATHS);
            assertThat(slot).isNotNegative();
            middle = i == 1 ? slot : middle;
        }

        assertThat(file.claim(9, "peer", PATHS)).isEqualTo(-1);
        file.release(middle);
        assertThat(file.claim(9, "peer", PATHS)).isEqualTo(middle);
    }

    @Test
    void neighboursDoNotTouch() {
        int first = file.claim(1, "x".repeat(500), PATHS);
        int second = file.claim(2, "y", PATHS);
        ConnectionCounters counters = file.counters(first);
        for (int id = 0; id < counters.paths().count(); id++) {
            counters.paths().set(id, -1);
        }

        assertThat(file.peer(first)).hasSize(CounterFile.NAME_MAX);
        assertThat(file.connectionId(second)).isEqualTo(2);
        assertThat(file.counters(second).get(ConnectionCounter.TX_PACKETS)).isZero();
        assertThat(file.generation(second)).isEqualTo(1);
    }

    @Test
    void whatIsNoSuchFileIsRefusedByName() {
        UnsafeBuffer zeros = new UnsafeBuffer(BufferUtil.allocateDirectAligned(8_192, 64));
        assertThatThrownBy(() -> CounterFile.read(zeros)).hasMessage("not a file of counters");
        assertThatThrownBy(() -> CounterFile.read(new UnsafeBuffer(new byte[10])))
                .hasMessage("not a file of counters");
        memory.putLong(8, memory.getLong(8) + 1);
        assertThatThrownBy(() -> CounterFile.read(memory)).hasMessage("written by another version");
        memory.putLong(8, memory.getLong(8) - 1);
        memory.putInt(36, 1 << 20);
        assertThatThrownBy(() -> CounterFile.read(memory)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFileNeverOutgrowsItsOffsets() {
        CounterFile.Shape fitting = new CounterFile.Shape(64, 1 << 16, 255).thatFits();

        assertThat(fitting.slots()).isBetween(1, (1 << 16) - 1);
        assertThat(fitting.bytes()).isLessThanOrEqualTo(CounterFile.BYTES_MAX);
        CounterFile.Shape oneMore = new CounterFile.Shape(64, fitting.slots() + 1, 255);
        assertThatThrownBy(oneMore::bytes).isInstanceOf(IllegalArgumentException.class);
    }
}
