// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

import org.jspecify.annotations.Nullable;

/** One plane's inbound rate and the flows that share it: who is active, what each wants, and the level that fits. */
final class InboundPlane {
    static final int FINE_SHIFT = 8;
    /** 251 of 256 parts of the rate are given away: 0.98. */
    private static final int GIVEN_PARTS = 251;

    private static final int ALL_PARTS = 256;
    /** Kept for a newcomer when there is more than one sending host. */
    private static final int RESERVE_PARTS = 256;
    /** While flows are few a newcomer changes everybody's share at once; beyond, at the next period. */
    private static final int FLOWS_AT_ONCE_MAX = 256;
    /** Rates are measured over so many base round trips. */
    private static final int WINDOW_ROUND_TRIPS = 2;
    /** A flow that says something waits, but sends nothing, stays active for so many windows. */
    private static final int SILENT_WINDOWS_MAX = 8;

    /** A flow repairs if more than one part in four of what arrived was sent again. */
    private static final int REPAIR_PARTS = 4;

    private static final int WEIGHT_ONE = 1 << 16;
    private static final int PASSES_MAX = 8;

    private final long rateFine;
    private final long leastPeriodNs;
    private final QueueCorrection correction;
    private @Nullable InboundFlow first;
    private int active;
    private int epoch;
    private long periodEndNs = Long.MIN_VALUE;
    private long windowStartNs;
    private long baseNs = InboundFlow.BASE_DEFAULT_NS;

    InboundPlane(long rateMbps, long leastPeriodNs, long noiseNs) {
        this.rateFine = rateMbps << FINE_SHIFT;
        this.leastPeriodNs = leastPeriodNs;
        this.correction = new QueueCorrection(noiseNs);
    }

    boolean isKnown() {
        return rateFine > 0;
    }

    int epoch() {
        return epoch;
    }

    void onData(InboundFlow flow, long queueNs, long nowNs) {
        correction.onArrival(queueNs);
        boolean isNew = !flow.isActive;
        if (isNew) {
            activate(flow, nowNs);
        }
        if (periodEndNs == Long.MIN_VALUE || nowNs - periodEndNs >= 0) {
            endPeriod(nowNs);
        } else if (isNew && active <= FLOWS_AT_ONCE_MAX) {
            share();
        }
    }

    void deactivate(InboundFlow flow) {
        if (!flow.isActive) {
            return;
        }
        flow.isActive = false;
        active--;
        if (flow.previous == null) {
            first = flow.next;
        } else {
            flow.previous.next = flow.next;
        }
        if (flow.next != null) {
            flow.next.previous = flow.previous;
        }
        flow.next = null;
        flow.previous = null;
        countSiblings(flow, flow.siblings - 1);
    }

    private void activate(InboundFlow flow, long nowNs) {
        int siblings = 1;
        for (InboundFlow other = first; other != null; other = other.next) {
            siblings += isSameHost(other, flow) ? 1 : 0;
        }
        flow.isActive = true;
        flow.activeSinceNs = nowNs;
        flow.rateFine = -1;
        flow.windowBytes = 0;
        flow.windowRepairBytes = 0;
        flow.leastShareFine = Long.MAX_VALUE;
        flow.next = first;
        flow.previous = null;
        if (first != null) {
            first.previous = flow;
        }
        first = flow;
        active++;
        baseNs = active == 1 ? flow.knownBaseNs() : Math.min(baseNs, flow.knownBaseNs());
        countSiblings(flow, siblings);
    }

    private void countSiblings(InboundFlow flow, int siblings) {
        flow.siblings = Math.max(1, siblings);
        for (InboundFlow other = first; other != null; other = other.next) {
            if (isSameHost(other, flow)) {
                other.siblings = siblings;
            }
        }
    }

    private static boolean isSameHost(InboundFlow one, InboundFlow other) {
        return one.hostLow == other.hostLow && one.hostHigh == other.hostHigh;
    }

    private void endPeriod(long nowNs) {
        if (periodEndNs == Long.MIN_VALUE) {
            windowStartNs = nowNs;
        }
        if (nowNs - windowStartNs >= Math.max(WINDOW_ROUND_TRIPS * baseNs, 2 * leastPeriodNs)) {
            endWindow(nowNs);
        }
        correction.onPeriod(baseNs);
        share();
        periodEndNs = nowNs + Math.max(baseNs / 2, leastPeriodNs);
    }

    /** Measures what arrived, and forgets those from whom nothing comes any more. */
    private void endWindow(long nowNs) {
        long elapsedNs = nowNs - windowStartNs;
        long least = Long.MAX_VALUE;
        InboundFlow flow = first;
        while (flow != null) {
            InboundFlow following = flow.next;
            long patienceNs = (flow.backlogBytes > 0 ? SILENT_WINDOWS_MAX : 1)
                    * Math.max(elapsedNs, WINDOW_ROUND_TRIPS * flow.knownBaseNs());
            if (flow.windowBytes == 0 && nowNs - flow.lastDataNs >= patienceNs) {
                deactivate(flow);
            } else {
                least = Math.min(least, flow.knownBaseNs());
                measure(flow, elapsedNs);
            }
            flow = following;
        }
        baseNs = least == Long.MAX_VALUE ? baseNs : least;
        windowStartNs = nowNs;
    }

    private void measure(InboundFlow flow, long elapsedNs) {
        boolean isRepairing = flow.windowBytes == 0 || flow.windowRepairBytes * REPAIR_PARTS > flow.windowBytes;
        flow.isShort = false;
        if (flow.activeSinceNs - windowStartNs <= 0) {
            long measured = ((flow.windowBytes * 8_000) << FINE_SHIFT) / elapsedNs;
            flow.rateFine = flow.rateFine < 0 ? measured : (flow.rateFine + measured) / 2;
            flow.isShort = !isRepairing && flow.rateFine * 4 < flow.leastShareFine * 3;
        }
        flow.windowBytes = 0;
        flow.windowRepairBytes = 0;
        flow.leastShareFine = Long.MAX_VALUE;
    }

    /** Finds the level at which everybody has what it wants or the level, and all that is given away is taken. */
    private void share() {
        long remaining = rateFine * GIVEN_PARTS / ALL_PARTS;
        long weight = 0;
        for (InboundFlow flow = first; flow != null; flow = flow.next) {
            flow.isSatisfied = false;
            weight += WEIGHT_ONE / flow.siblings;
        }
        if (weight > WEIGHT_ONE + active) {
            remaining -= remaining / RESERVE_PARTS;
        }
        remaining = correction.corrected(remaining);
        long level = level(remaining, weight);
        for (InboundFlow flow = first; flow != null; flow = flow.next) {
            flow.shareFine = level / flow.siblings;
            flow.leastShareFine = Math.min(flow.leastShareFine, flow.shareFine);
        }
        epoch = (epoch + 1) & 0xff;
    }

    private long level(long given, long allWeight) {
        long remaining = given;
        long weight = allWeight;
        long largest = 0;
        boolean isChanged = true;
        for (int pass = 0; pass < PASSES_MAX && isChanged && weight > 0; pass++) {
            isChanged = false;
            long level = remaining * WEIGHT_ONE / weight;
            for (InboundFlow flow = first; flow != null; flow = flow.next) {
                long wanted = flow.isSatisfied ? Long.MAX_VALUE : wantedFine(flow);
                if (wanted <= level / flow.siblings) {
                    flow.isSatisfied = true;
                    isChanged = true;
                    remaining -= wanted;
                    weight -= WEIGHT_ONE / flow.siblings;
                    largest = Math.max(largest, wanted * flow.siblings);
                }
            }
        }
        // Where nobody wants its share, each may have what the others leave.
        return weight <= 0 ? Math.max(0, remaining) + largest : remaining * WEIGHT_ONE / weight;
    }

    /** What a flow will take: without bound, unless it was seen to take less than it was told (MOP-CC-23). */
    private long wantedFine(InboundFlow flow) {
        long packetFine = ((flow.windowPacketBytes() * 8_000L) << FINE_SHIFT) / (WINDOW_ROUND_TRIPS * baseNs);
        if (flow.rateFine < 0) {
            boolean isSent = flow.backlogBytes == 0;
            return isSent
                    ? ((flow.windowBytes * 8_000L) << FINE_SHIFT) / (WINDOW_ROUND_TRIPS * baseNs)
                    : Long.MAX_VALUE;
        }
        return flow.isShort ? flow.rateFine + flow.rateFine / 4 + packetFine : Long.MAX_VALUE;
    }
}
