// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wrap;

import io.metaroce.port.PacketClassifier;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Decides what happens to the packets of one direction, once for each, and counts it. Chance is SplitMix64 (Steele, Lea,
 * Flood, 2014) with a stream of its own per direction, so that what is sent is judged alike whatever is received.
 */
final class FaultJudge {
    static final int DROP = 1;
    static final int DUPLICATE = 2;
    static final int CORRUPT = 4;
    static final int REORDER = 8;
    static final int DELAY = 16;

    private static final long GOLDEN_GAMMA = 0x9e37_79b9_7f4a_7c15L;
    /** Odd and unrelated to the step from packet to packet. */
    private static final long KIND_GAMMA = 0xd1b5_4a32_d192_ed03L;

    private static final long LOW_32 = 0xffff_ffffL;

    private final FaultPlan.Side direction;
    private final FaultControl control;
    private final FaultCounters counters;
    private final PacketClassifier classifier;

    private FaultPlan plan = FaultPlan.NONE;
    private boolean isTouched;
    private long random;
    private long startNs;
    private long sinceStartNs;
    private boolean isStarted;

    FaultJudge(FaultPlan.Side direction, FaultControl control, FaultCounters counters, PacketClassifier classifier) {
        this.direction = direction;
        this.control = control;
        this.counters = counters;
        this.classifier = classifier;
        seed(plan.seed());
    }

    /** Looks at the plan and the clock; before every burst. */
    @SuppressWarnings("ReferenceEquality") // The same object is the same plan; an equal one costs a needless look.
    void onTurn(long nowNs) {
        FaultPlan wanted = control.plan();
        if (wanted != plan) {
            adopt(wanted, nowNs);
        }
        sinceStartNs = nowNs - startNs;
    }

    private void adopt(FaultPlan wanted, long nowNs) {
        if (!isStarted || wanted.seed() != plan.seed()) {
            seed(wanted.seed());
        }
        if (!isStarted || !wanted.pathKills().equals(plan.pathKills())) {
            startNs = nowNs;
        }
        isStarted = true;
        plan = wanted;
        isTouched = wanted.touches(direction);
    }

    private boolean isKilled(int path) {
        if (plan.killedPaths().contains(path)) {
            return true;
        }
        List<PathKill> kills = plan.pathKills();
        for (int i = 0; i < kills.size(); i++) {
            if (kills.get(i).path() == path && kills.get(i).isActive(sinceStartNs)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the plan can touch packets of this direction at all. */
    boolean isTouched() {
        return isTouched;
    }

    long delayNs() {
        return plan.delayNs();
    }

    int reorderDepth() {
        return plan.reorderDepth();
    }

    /** The fate of one packet: 0, or {@link #DROP} alone, or any of the others together. */
    int judge(UnsafeBuffer packet) {
        counters.increment(FaultCounter.OFFERED);
        random += GOLDEN_GAMMA;
        boolean isData = classifier.isData(packet);
        if (isKilled(classifier.pathId(packet))) {
            return dropped(isData, FaultCounter.PATH_KILLED, FaultCounter.PATH_KILLED_DATA);
        }
        if (plan.longestBytes() != 0 && packet.capacity() > plan.longestBytes()) {
            return dropped(isData, FaultCounter.TOO_LONG, FaultCounter.TOO_LONG_DATA);
        }
        if (!plan.target().includes(isData)) {
            return 0;
        }
        if (happens(plan.lossPpb(), FaultWord.LOSS)) {
            return dropped(isData, FaultCounter.LOST, FaultCounter.LOST_DATA);
        }
        int fate = plan.delayNs() == 0 ? 0 : DELAY;
        fate |= happens(plan.dupPpb(), FaultWord.DUP) ? DUPLICATE : 0;
        fate |= happens(plan.corruptPpb(), FaultWord.CORRUPT) ? CORRUPT : 0;
        fate |= happens(plan.reorderPpb(), FaultWord.REORDER) ? REORDER : 0;
        return fate;
    }

    private int dropped(boolean isData, FaultCounter reason, FaultCounter reasonOfData) {
        counters.increment(reason);
        if (isData) {
            counters.increment(reasonOfData);
        }
        return DROP;
    }

    /** Turns one bit over, anywhere in the packet. */
    void corrupt(UnsafeBuffer packet) {
        if (packet.capacity() == 0) {
            return;
        }
        boolean isData = classifier.isData(packet);
        long draw = draw(FaultWord.SEED);
        int at = (int) (((draw & LOW_32) * packet.capacity()) >>> 32);
        packet.putByte(at, (byte) (packet.getByte(at) ^ 1 << (draw >>> 61)));
        counters.increment(FaultCounter.CORRUPTED);
        if (isData) {
            counters.increment(FaultCounter.CORRUPTED_DATA);
        }
    }

    void count(FaultCounter counter) {
        counters.increment(counter);
    }

    private boolean happens(int ppb, FaultWord word) {
        return ppb != 0 && (((draw(word) >>> 32) * FaultPlan.ONE_PPB) >>> 32) < ppb;
    }

    private void seed(long seed) {
        random = seed ^ (direction == FaultPlan.Side.TX ? 0 : GOLDEN_GAMMA << 1);
    }

    /** Each kind of fault draws for itself, so that adding one to a plan leaves the decisions about the others alone. */
    private long draw(FaultWord word) {
        long z = random + (word.ordinal() + 1) * KIND_GAMMA;
        z = (z ^ (z >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d0_49bb_1331_11ebL;
        return z ^ (z >>> 31);
    }
}
