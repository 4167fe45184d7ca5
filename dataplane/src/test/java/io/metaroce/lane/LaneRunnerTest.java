// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.counters.LaneCounter;
import io.metaroce.port.PortException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LaneRunnerTest {
    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(10);

    private final LanePair pair = new LanePair(1, LaneSettings.SIMULATED);

    @Test
    void runsUntilStoppedAnswersCommandsAndClosesItsPortsOnItsOwnThread() throws InterruptedException {
        LaneRunner runner = runner(LaneRunner.Settings.named("lane-test"));
        runner.start();
        pair.left.lane.control().fence(42);
        await(() -> {
            pair.left.takeEvents();
            return pair.left.events.contains("done 42");
        });
        assertThat(runner.sinceLastCycleNs()).isLessThan(WAIT_NS);

        runner.stop();

        await(() -> {
            pair.left.takeEvents();
            return runner.hasEnded();
        });
        pair.left.takeEvents();
        assertThat(pair.left.events).endsWith("ended stopped stop requested");
        assertThat(runner.failure()).isNull();
        assertThat(pair.left.ports[0].isClosed).isTrue();
        assertThat(pair.left.get(LaneCounter.STATE)).isEqualTo(LaneState.STOPPED.ordinal());
    }

    @Test
    void anExceptionEndsTheLaneWithAStateThatOthersSeeAndIsKept() throws InterruptedException {
        pair.left.ports[0].failure = new IllegalStateException("planted");
        LaneRunner runner = runner(LaneRunner.Settings.named("lane-test"));

        runner.start();
        assertThat(runner.awaitEnd(WAIT_NS)).isTrue();
        pair.left.takeEvents();

        assertThat(runner.failure()).hasMessage("planted");
        assertThat(pair.left.get(LaneCounter.STATE)).isEqualTo(LaneState.FAILED.ordinal());
        assertThat(pair.left.get(LaneCounter.FAILURES)).isEqualTo(1);
        assertThat(pair.left.events).endsWith("ended failed java.lang.IllegalStateException: planted");
        assertThat(pair.left.ports[0].isClosed).isTrue();
    }

    @Test
    void busySpinAlsoStops() throws InterruptedException {
        LaneRunner runner = runner(new LaneRunner.Settings("lane-test", IdleMode.BUSY_SPIN, null, 0));

        runner.start();
        runner.close();

        assertThat(runner.hasEnded()).isTrue();
    }

    @Test
    void theLanesOwnThreadIsPinnedBeforeTheFirstCycle() throws InterruptedException {
        AtomicReference<String> pinned = new AtomicReference<>("");
        LaneRunner runner = runner(new LaneRunner.Settings(
                "lane-test",
                IdleMode.BACKOFF,
                cpu -> pinned.set(Thread.currentThread().getName() + " to " + cpu),
                1));

        runner.start();
        runner.close();

        assertThat(pinned).hasValue("lane-test to 1");
    }

    @Test
    void aProcessorThatDoesNotExistEndsTheLaneBeforeItBegins() throws InterruptedException {
        LaneRunner runner = runner(new LaneRunner.Settings(
                "lane-test",
                IdleMode.BACKOFF,
                cpu -> {
                    throw new PortException("no processor " + cpu);
                },
                99));

        runner.start();
        assertThat(runner.awaitEnd(WAIT_NS)).isTrue();

        assertThat(runner.failure()).hasMessage("no processor 99");
        assertThat(pair.left.get(LaneCounter.CYCLES)).isZero();
    }

    @Test
    void aStallBoundThatEveryIdleParkWouldBreakIsRefused() {
        LaneSettings settings = new LaneSettings(1, 1, 1, 1, 1, 1, 1, 1, IdleMode.PARK_NS_MAX, 1, 1);

        assertThatThrownBy(() -> new LaneRunner(pair.left.lane, settings, LaneRunner.Settings.named("lane-test")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("an idle loop would look stalled");
    }

    private LaneRunner runner(LaneRunner.Settings settings) {
        return new LaneRunner(pair.left.lane, LaneSettings.DEFAULT, settings);
    }

    private static void await(BooleanSupplier isDone) {
        long endNs = System.nanoTime() + WAIT_NS;
        while (!isDone.getAsBoolean()) {
            assertThat(endNs - System.nanoTime()).isPositive();
            LockSupport.parkNanos(100_000);
        }
    }
}
