// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.testing.Proves;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

@Proves({"MOP-PATH-17", "MOP-PATH-18"})
class EntropyPoolTest {

    @Property(tries = 300)
    void noTwoPathsShareAnEntropyAndNoneKeepsItsOwnWhereThePoolIsLargeEnough(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 32) int paths,
            @ForAll @IntRange(min = 18, max = 200) int more) {
        SplittableRandom random = new SplittableRandom(seed);
        int sourcePorts = paths + more;
        EntropyPool pool = new EntropyPool(sourcePorts, paths, random.nextInt());
        int[] used = new int[paths];
        for (int path = 0; path < paths; path++) {
            used[path] = path;
            pool.use(path, path);
        }
        for (int i = 0; i < 300; i++) {
            int path = random.nextInt(paths);
            int before = used[path];
            if (random.nextBoolean()) {
                pool.onLeft(before);
            } else {
                pool.onGood(before);
            }
            used[path] = pool.choose(path);
            assertThat(used[path]).isBetween(0, sourcePorts - 1).isNotEqualTo(before);
            for (int other = 0; other < paths; other++) {
                assertThat(other == path || used[other] != used[path]).isTrue();
            }
        }
    }

    @Test
    void aGoodEntropyIsPreferredUntilItIsLeft() {
        EntropyPool pool = new EntropyPool(64, 2, 0);
        pool.use(0, 5);
        pool.use(1, 6);
        pool.onGood(40);

        assertThat(pool.choose(0)).isEqualTo(40);

        pool.onLeft(40);
        assertThat(pool.choose(0)).isNotEqualTo(40);
    }

    @Test
    void anEntropyThatWasLeftLatelyIsTakenOnlyWhenThereIsNoOther() {
        EntropyPool pool = new EntropyPool(4, 1, 0);
        pool.use(0, 0);
        pool.onLeft(0);
        pool.onLeft(1);
        pool.onLeft(2);

        assertThat(pool.choose(0)).isEqualTo(3);
        pool.onLeft(3);
        assertThat(pool.choose(0)).isNotEqualTo(3);
    }

    @Test
    void aPoolOfOneGivesTheOneItHas() {
        EntropyPool pool = new EntropyPool(1, 3, 9);

        assertThat(pool.choose(2)).isZero();
    }

    @Test
    void eightGoodOnesAreRemembered() {
        EntropyPool pool = new EntropyPool(100, 8, 0);
        for (int i = 0; i < EntropyPool.MEMORY + 1; i++) {
            pool.onGood(20 + i);
        }

        assertThat(pool.isGood(20)).isFalse();
        for (int path = 0; path < EntropyPool.MEMORY; path++) {
            assertThat(pool.choose(path)).isBetween(21, 28);
        }
    }
}
