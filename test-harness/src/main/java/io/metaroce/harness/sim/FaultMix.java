// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

/**
 * What goes wrong on the wire until {@code untilNs}; afterwards nothing does. Probabilities are parts per million of packets.
 *
 * @param loss of any packet
 * @param duplicate a second copy some time later
 * @param corrupt one bit flipped
 * @param reorder held back so that later packets of its path overtake it
 * @param mark congestion experienced
 * @param killedPath path whose packets all vanish, both ways, in the middle third of the time; -1 none
 * @param pause longest pause of a host's loop in ns; 0 none
 * @param untilNs end of all faults
 */
public record FaultMix(
        int loss, int duplicate, int corrupt, int reorder, int mark, int killedPath, long pause, long untilNs) {
    public static final FaultMix NONE = new FaultMix(0, 0, 0, 0, 0, -1, 0, 0);

    /** Swarm: each fault is absent, mild or wild. */
    public static FaultMix swarm(SeededRandom random, int paths, long untilNs) {
        return new FaultMix(
                strength(random, 200_000),
                strength(random, 100_000),
                strength(random, 50_000),
                strength(random, 100_000),
                strength(random, 300_000),
                random.below(3) == 0 ? random.below(paths) : -1,
                random.below(4) == 0 ? random.between(100_000, 20_000_000) : 0,
                untilNs);
    }

    /** Whether nothing happens that a path's order or a packet's life could suffer from. */
    public boolean isHarmless() {
        return loss == 0 && duplicate == 0 && corrupt == 0 && reorder == 0 && killedPath < 0 && pause == 0;
    }

    private static int strength(SeededRandom random, int wild) {
        return switch (random.below(3)) {
            case 0 -> 0;
            case 1 -> wild / 20;
            default -> random.below(wild);
        };
    }
}
