// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import io.metaroce.harness.app.PingPong;
import io.metaroce.queue.CompletionStatus;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.IdleStrategy;

/** One message at a time, there and back; the time of a way is half of the round trip. */
final class LatencyRun implements Measurement.Run {
    private static final long LATENCY_NS_MAX = 100_000_000_000L;
    private static final int SIGNIFICANT_DIGITS = 3;

    private final PingPong pingPong;
    private final IdleStrategy idle = Idling.strategy();

    LatencyRun(PingPong pingPong) {
        this.pingPong = pingPong;
    }

    @Override
    public Measurement drive(RunLimit limit, Watch watch, Measurement.Progress progress, LongSupplier clock) {
        Histogram latency = new Histogram(1, LATENCY_NS_MAX, SIGNIFICANT_DIGITS);
        long before = pingPong.arrivals();
        long startNs = clock.getAsLong();
        long nowNs = startNs;
        while (pingPong.arrivals() - before < limit.iterations()
                && nowNs - startNs < limit.durationNs()
                && !watch.isStopWanted()) {
            awaitPrepared(watch, clock);
            long servedNs = clock.getAsLong();
            pingPong.serve();
            awaitArrival(pingPong.arrivals() + 1, watch, clock);
            latency.recordValue(Math.max(1, Math.min(LATENCY_NS_MAX, (pingPong.arrivalNs() - servedNs) / 2)));
            nowNs = clock.getAsLong();
            progress.onProgress(pingPong.arrivals() - before, wrongBytes(), nowNs);
        }
        return new Measurement(pingPong.arrivals() - before, nowNs - startNs, 0, latency);
    }

    private void awaitPrepared(Watch watch, LongSupplier clock) {
        while (!pingPong.prepare()) {
            turn(watch, clock);
        }
    }

    private void awaitArrival(long count, Watch watch, LongSupplier clock) {
        while (pingPong.arrivals() < count) {
            turn(watch, clock);
        }
    }

    private void turn(Watch watch, LongSupplier clock) {
        int work = pingPong.doWork();
        idle.idle(work);
        if (work == 0) {
            watch.onTurn(pingPong.arrivals(), failure(), clock.getAsLong());
        }
    }

    private CompletionStatus failure() {
        return pingPong.failure();
    }

    @Override
    public long wrongBytes() {
        return pingPong.wrongBytes() + pingPong.outOfTurn();
    }

    @Override
    public void close() {
        pingPong.close();
    }
}
