// SPDX-License-Identifier: Apache-2.0
package io.metaroce.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class MemoryKeyAllocatorTest {

    @Test
    void guardsB108TheLimitIsAnAnswerAndOneKeyBackIsOneKeyMore() {
        MemoryKeyAllocator keys = new MemoryKeyAllocator(() -> 5);
        Set<Integer> given = new HashSet<>();
        for (int i = 0; i < MemoryKey.INDEX_COUNT; i++) {
            given.add(keys.allocate());
        }
        assertThat(given).hasSize(MemoryKey.INDEX_COUNT).allMatch(MemoryKey::isKey);
        assertThat(keys.allocate()).isEqualTo(MemoryKeyAllocator.NONE);

        int key = given.iterator().next();
        assertThat(keys.release(key)).isTrue();

        assertThat(keys.usedCount()).isEqualTo(MemoryKey.INDEX_COUNT - 1);
        assertThat(MemoryKey.index(keys.allocate())).isEqualTo(MemoryKey.index(key));
        assertThat(keys.allocate()).isEqualTo(MemoryKeyAllocator.NONE);
    }

    @Test
    void anIndexNeverHasTheSameKeyTwiceInARowWhateverTheRandomSourceSays() {
        // MOP-SEC-3
        MemoryKeyAllocator keys = new MemoryKeyAllocator(() -> -1);
        Deque<Integer> previous = new ArrayDeque<>();
        for (int i = 0; i < MemoryKey.INDEX_COUNT; i++) {
            previous.add(keys.allocate());
        }
        for (int round = 0; round < 3 * MemoryKey.INDEX_COUNT; round++) {
            int old = previous.remove();
            assertThat(keys.release(old)).isTrue();
            int fresh = keys.allocate();
            assertThat(MemoryKey.index(fresh)).isEqualTo(MemoryKey.index(old));
            assertThat(fresh).isNotEqualTo(old);
            previous.add(fresh);
        }
    }

    @Property
    void everyRandomNumberGivesAKey(@ForAll int bits) {
        int key = new MemoryKeyAllocator(() -> bits).allocate();

        assertThat(MemoryKey.isKey(key)).isTrue();
        assertThat(MemoryKey.index(key)).isZero();
    }

    @Test
    void aKeyThatIsNotInUseCannotBeReleased() {
        MemoryKeyAllocator keys = new MemoryKeyAllocator(() -> 1);
        int key = keys.allocate();

        assertThat(keys.release(0)).isFalse();
        assertThat(keys.release(key + 1)).isFalse();
        assertThat(keys.release(key)).isTrue();
        assertThat(keys.release(key)).isFalse();
        assertThat(keys.usedCount()).isZero();
    }
}
