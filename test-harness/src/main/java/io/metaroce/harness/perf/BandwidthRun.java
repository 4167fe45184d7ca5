// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import io.metaroce.harness.app.TransferSender;
import io.metaroce.queue.CompletionStatus;
import java.util.List;
import java.util.function.LongSupplier;
import org.agrona.concurrent.IdleStrategy;

/** Keeps every stream's transmit depth full; what counts is what the receiver says it has checked. */
final class BandwidthRun implements Measurement.Run {
    /** Turns between two looks at the clock and the peer. */
    private static final int TURNS_PER_LOOK = 16;
    /** How long somebody who wants to stop waits for what is under way. */
    private static final long DRAIN_NS = 2_000_000_000L;

    private final RunSpec spec;
    private final List<TransferSender> senders;
    private final IdleStrategy idle = Idling.strategy();

    BandwidthRun(RunSpec spec, List<TransferSender> senders) {
        this.spec = spec;
        this.senders = List.copyOf(senders);
    }

    @Override
    public Measurement drive(RunLimit limit, Watch watch, Measurement.Progress progress, LongSupplier clock) {
        long before = checked();
        long startNs = clock.getAsLong();
        PeakRate peak = new PeakRate((long) spec.depth() * senders.size(), spec.sizeBytes(), startNs);
        for (TransferSender sender : senders) {
            sender.limit(limit.isTimed() ? Long.MAX_VALUE : sender.posted() + limit.iterations());
        }
        boolean isEnding = false;
        long endingNs = Long.MAX_VALUE;
        long nowNs = startNs;
        for (int turn = 0; !isDone(limit, isEnding) && nowNs <= endingNs; turn++) {
            int work = 0;
            for (TransferSender sender : senders) {
                work += sender.doWork();
            }
            idle.idle(work);
            if (turn % TURNS_PER_LOOK == 0 || work == 0) {
                nowNs = clock.getAsLong();
                peak.onProgress(checked() - before, nowNs);
                watch.onTurn(checked(), failure(), nowNs);
                progress.onProgress(checked() - before, wrongBytes(), nowNs);
                if (!isEnding && (watch.isStopWanted() || nowNs - startNs >= limit.durationNs())) {
                    senders.forEach(sender -> sender.limit(sender.posted()));
                    isEnding = true;
                    endingNs = watch.isStopWanted() ? nowNs + DRAIN_NS : Long.MAX_VALUE;
                }
            }
        }
        nowNs = clock.getAsLong();
        peak.onProgress(checked() - before, nowNs);
        return new Measurement(checked() - before, nowNs - startNs, peak.bytesPerSecond(), null);
    }

    /** All that was to be posted has been posted and checked. */
    private boolean isDone(RunLimit limit, boolean isEnding) {
        for (TransferSender sender : senders) {
            boolean mayPostMore = limit.isTimed() ? !isEnding : sender.posted() < sender.limit();
            if (mayPostMore || sender.checked() < sender.posted() || sender.completed() < sender.posted()) {
                return false;
            }
        }
        return true;
    }

    private long checked() {
        long sum = 0;
        for (TransferSender sender : senders) {
            sum += sender.checked();
        }
        return sum;
    }

    @Override
    public long wrongBytes() {
        long sum = 0;
        for (TransferSender sender : senders) {
            sum += sender.wrongBytes() + sender.lateBytes() + sender.outOfTurn();
        }
        return sum;
    }

    private CompletionStatus failure() {
        for (TransferSender sender : senders) {
            if (sender.failure() != CompletionStatus.SUCCESS) {
                return sender.failure();
            }
        }
        return CompletionStatus.SUCCESS;
    }

    @Override
    public void close() {
        senders.forEach(TransferSender::close);
    }
}
