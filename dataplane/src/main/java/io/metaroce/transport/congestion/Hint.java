// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

/** The peer's last word on our share of its inbound rate on one plane (MOP-CC-16, MOP-CC-19). */
final class Hint {
    private static final int EPOCHS_NEWER_MAX = 127;
    private static final int EPOCH_MASK = 0xff;
    private static final int ROUND_TRIPS_IN_FORCE = 3;
    private static final int PERIODS_IN_FORCE = 4;
    /** After so long any epoch is the newest. */
    private static final int PERIODS_OF_MEMORY = 32;

    private final long periodNs;
    private boolean isValid;
    private int epoch;
    private long rateMbps;
    private long heardNs;

    Hint(long periodNs) {
        this.periodNs = periodNs;
    }

    /** Takes a hint unless a newer one was heard. */
    boolean onHint(int hintEpoch, long hintMbps, long nowNs) {
        int newer = (hintEpoch - epoch) & EPOCH_MASK;
        boolean isOlder = newer > EPOCHS_NEWER_MAX;
        if (isValid && isOlder && nowNs - heardNs < PERIODS_OF_MEMORY * periodNs) {
            return false;
        }
        isValid = true;
        epoch = hintEpoch;
        rateMbps = Math.max(1, hintMbps);
        heardNs = nowNs;
        return true;
    }

    boolean isValid() {
        return isValid;
    }

    boolean isInForce(long roundTripNs, long nowNs) {
        return isValid && nowNs - heardNs < ROUND_TRIPS_IN_FORCE * roundTripNs + PERIODS_IN_FORCE * periodNs;
    }

    long rateMbps() {
        return rateMbps;
    }

    void forget() {
        isValid = false;
    }
}
