// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.baseline;

/**
 * The reaction point of DCQCN (Zhu et al., SIGCOMM 2015): a rate that falls by alpha/2 with each congestion notification and
 * rises by fast recovery, additive and hyper increase. Starts at line rate, as the paper does.
 */
final class Dcqcn {
    private static final double GAIN = 1.0 / 256;
    private static final long ALPHA_TIMER_NS = 55_000;
    private static final long RATE_TIMER_NS = 55_000;
    private static final long BYTE_COUNTER = 10 << 20;
    private static final int FAST_STEPS = 5;
    private static final double ADDITIVE_SHARE = 1.0 / 20;
    private static final double HYPER_SHARE = 1.0 / 10;
    private static final double LEAST_SHARE = 1.0 / 1000;

    private final double lineRate;
    private double rate;
    private double target;
    private double alpha = 1;
    private boolean isLimited;
    private long alphaDeadlineNs;
    private long rateDeadlineNs;
    private long bytes;
    private int timerSteps;
    private int byteSteps;

    /**
     * @param lineRate bits per second of the host's link
     */
    Dcqcn(double lineRate) {
        this.lineRate = lineRate;
        this.rate = lineRate;
        this.target = lineRate;
    }

    /** Bits per second allowed now. */
    double rate() {
        return rate;
    }

    double alpha() {
        return alpha;
    }

    /** A congestion notification arrived. */
    void onNotification(long nowNs) {
        target = rate;
        rate = Math.max(lineRate * LEAST_SHARE, rate * (1 - alpha / 2));
        alpha = (1 - GAIN) * alpha + GAIN;
        isLimited = true;
        timerSteps = 0;
        byteSteps = 0;
        bytes = 0;
        alphaDeadlineNs = nowNs + ALPHA_TIMER_NS;
        rateDeadlineNs = nowNs + RATE_TIMER_NS;
    }

    void onSent(int sentBytes) {
        if (!isLimited) {
            return;
        }
        bytes += sentBytes;
        if (bytes >= BYTE_COUNTER) {
            bytes = 0;
            byteSteps++;
            increase();
        }
    }

    void onTimer(long nowNs) {
        if (!isLimited) {
            return;
        }
        while (alphaDeadlineNs <= nowNs) {
            alpha *= 1 - GAIN;
            alphaDeadlineNs += ALPHA_TIMER_NS;
        }
        while (isLimited && rateDeadlineNs <= nowNs) {
            rateDeadlineNs += RATE_TIMER_NS;
            timerSteps++;
            increase();
        }
    }

    long nextDeadlineNs() {
        return isLimited ? Math.min(alphaDeadlineNs, rateDeadlineNs) : Long.MAX_VALUE;
    }

    private void increase() {
        if (Math.min(timerSteps, byteSteps) > FAST_STEPS) {
            target += lineRate * HYPER_SHARE;
        } else if (Math.max(timerSteps, byteSteps) > FAST_STEPS) {
            target += lineRate * ADDITIVE_SHARE;
        }
        target = Math.min(target, lineRate);
        rate = (rate + target) / 2;
        // Within a thousandth of line rate nothing limits any more.
        if (rate > lineRate * (1 - LEAST_SHARE)) {
            rate = lineRate;
            isLimited = false;
        }
    }
}
