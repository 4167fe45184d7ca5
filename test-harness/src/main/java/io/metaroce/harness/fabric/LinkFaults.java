// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import io.metaroce.harness.sim.SeededRandom;

/** What goes wrong on one link: loss by class, corruption, duplication, extra delay. */
public final class LinkFaults {
    private final LossModel dataLoss;
    private final LossModel controlLoss;
    private final LossModel corruption;
    private final LossModel duplication;
    private final LossModel reordering;
    private final long reorderPs;
    private final SeededRandom random;

    /**
     * @param dataLoss of DATA packets
     * @param controlLoss of everything else
     * @param corruption after which the receiver drops the packet
     * @param duplication a second copy, later by up to {@code reorderPs}
     * @param reordering held back by up to {@code reorderPs}, so that later packets overtake
     */
    public LinkFaults(
            LossModel dataLoss,
            LossModel controlLoss,
            LossModel corruption,
            LossModel duplication,
            LossModel reordering,
            long reorderPs,
            SeededRandom random) {
        this.dataLoss = dataLoss;
        this.controlLoss = controlLoss;
        this.corruption = corruption;
        this.duplication = duplication;
        this.reordering = reordering;
        this.reorderPs = reorderPs;
        this.random = random;
    }

    public static LinkFaults losing(LossModel data, LossModel control) {
        return new LinkFaults(data, control, LossModel.NONE, LossModel.NONE, LossModel.NONE, 0, new SeededRandom(0));
    }

    boolean loses(int trafficClass) {
        return (trafficClass == PacketPool.DATA ? dataLoss : controlLoss).isNextLost();
    }

    boolean corrupts() {
        return corruption.isNextLost();
    }

    boolean duplicates() {
        return duplication.isNextLost();
    }

    boolean holdsBack() {
        return reordering.isNextLost();
    }

    long extraPs() {
        return reorderPs == 0 ? 1 : random.between(1, reorderPs);
    }
}
