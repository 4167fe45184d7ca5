// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.testing.Proves;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The sender's connection sequences against a set of numbers. */
class ConnectionSequencesPropertyTest {
    private static final int WINDOW = 64;

    @Property(tries = 150)
    @Proves({"MOP-SEQ-4", "MOP-SEQ-6", "MOP-SEQ-7"})
    void numbersAreHandedOutInOrderInsideTheWindowAndDeliveredOnce(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ConnectionSequences sequences = new ConnectionSequences(WINDOW);
        Set<Integer> delivered = new HashSet<>();
        int next = 0;
        int oldest = 0;
        int peerNext = 0;
        for (int step = 0; step < 600; step++) {
            assertThat(sequences.hasRoom()).isEqualTo(next - peerNext < WINDOW && next - oldest < WINDOW);
            switch (random.nextInt(3)) {
                case 0 -> {
                    if (sequences.hasRoom()) {
                        assertThat(sequences.assign()).isEqualTo(next++);
                    }
                }
                case 1 -> {
                    if (next > oldest) {
                        int sequence = random.nextInt(Math.max(0, oldest - 5), next);
                        assertThat(sequences.onDelivered(sequence)).isEqualTo(delivered.add(sequence));
                    }
                }
                default -> {
                    int said = random.nextInt(Math.max(0, peerNext - 3), next + 1);
                    assertThat(sequences.isPlausible(said)).isTrue();
                    sequences.onPeerNext(said);
                    peerNext = Math.max(peerNext, said);
                }
            }
            while (delivered.contains(oldest)) {
                oldest++;
            }
            assertThat(sequences.next()).isEqualTo(next);
            assertThat(sequences.oldest()).isEqualTo(oldest);
            for (int sequence = Math.max(0, oldest - 3); sequence < next; sequence++) {
                assertThat(sequences.isDelivered(sequence)).isEqualTo(delivered.contains(sequence));
                assertThat(sequences.isKnownByPeer(sequence)).isEqualTo(sequence < peerNext);
            }
        }
        assertThat(sequences.isPlausible(next + 1)).isFalse();
    }
}
