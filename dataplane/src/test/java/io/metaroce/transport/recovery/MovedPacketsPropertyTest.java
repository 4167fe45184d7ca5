// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.testing.Proves;
import java.util.ArrayDeque;
import java.util.Deque;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

class MovedPacketsPropertyTest {
    @Property(tries = 300)
    @Proves("MOP-PATH-28")
    void theRingIsABoundedQueueInTheOrderOfMoving(@ForAll @Size(max = 200) int[] choices) {
        MovedPackets moved = new MovedPackets(16);
        Deque<Integer> model = new ArrayDeque<>();
        for (int choice : choices) {
            if ((choice & 1) == 0) {
                assertThat(moved.add(choice, choice + 1, choice + 2)).isEqualTo(model.size() < 16);
                if (model.size() < 16) {
                    model.add(choice);
                }
            } else if (!model.isEmpty()) {
                int first = model.remove();
                assertThat(moved.connectionSequence()).isEqualTo(first);
                assertThat(moved.content()).isEqualTo(first + 1);
                assertThat(moved.contentIndex()).isEqualTo(first + 2);
                moved.removeFirst();
            }
            assertThat(moved.isEmpty()).isEqualTo(model.isEmpty());
            assertThat(moved.contains(choice)).isEqualTo(model.contains(choice));
        }
    }
}
