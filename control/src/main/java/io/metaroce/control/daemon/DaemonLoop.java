// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import io.metaroce.control.config.DaemonConfig;
import io.metaroce.control.config.LoadedConfig;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the daemon's main thread does while the others work: signals, reloads, the watchdog, and the way out. */
final class DaemonLoop {
    private static final Logger LOG = LoggerFactory.getLogger(DaemonLoop.class);
    private static final long TURN_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long DRAIN_POLL_MS = 20;

    private final Daemon daemon;
    private final Reloader reloader;
    private final BlockingQueue<String> signals;
    private final SystemdNotifier systemd;
    private final LoadedConfig started;
    private LoadedConfig running;
    private List<String> lastTroubles = List.of();

    DaemonLoop(
            Daemon daemon,
            Reloader reloader,
            LoadedConfig started,
            BlockingQueue<String> signals,
            SystemdNotifier systemd) {
        this.daemon = daemon;
        this.reloader = reloader;
        this.started = started;
        this.running = started;
        this.signals = signals;
        this.systemd = systemd;
    }

    /** Returns when a signal has asked for the end and running work is done, or out of time, or asked a second time. */
    void run() throws InterruptedException {
        long turnNs = systemd.watchdogPeriodNs() == 0 ? TURN_NS : Math.min(TURN_NS, systemd.watchdogPeriodNs());
        while (true) {
            @Nullable String signal = signals.poll(turnNs, TimeUnit.NANOSECONDS);
            if (signal == null) {
                watch();
            } else if (signal.equals("HUP")) {
                reload();
            } else {
                drain(signal);
                return;
            }
        }
    }

    /** The watchdog hears of us only while lanes and control thread turn: a hung daemon is restarted by systemd. */
    private void watch() {
        List<String> troubles = daemon.troubles();
        if (!troubles.equals(lastTroubles)) {
            troubles.forEach(trouble -> LOG.error("not ready: {}", trouble));
            if (troubles.isEmpty()) {
                LOG.info("ready again");
            }
            lastTroubles = troubles;
        }
        if (troubles.isEmpty() && systemd.watchdogPeriodNs() > 0) {
            systemd.alive();
        }
    }

    private void reload() {
        systemd.reloading(System.nanoTime());
        Reloader.Outcome outcome = reloader.reload(started, running);
        LoadedConfig next = outcome.config();
        if (next == null) {
            daemon.reload().failed();
            outcome.lines().forEach(line -> LOG.error("reload refused: {}", line));
            LOG.error("the old configuration stays in force");
        } else {
            daemon.reload().succeeded(System.currentTimeMillis() / 1000.0);
            outcome.lines().forEach(line -> LOG.info("reload: {}", line));
            LOG.info("configuration reloaded");
            apply(next);
        }
        systemd.ready(outcome.summary());
    }

    /** The values that are live; the others wait for a restart. */
    private void apply(LoadedConfig next) {
        DaemonConfig config = next.config();
        LogLevel.set(config.logLevel());
        daemon.stallLimitNs(config.lanes().stallLimitNs());
        running = next;
    }

    private void drain(String signal) throws InterruptedException {
        long timeoutNs = running.config().drainTimeoutNs();
        LOG.info("{}: draining, at most {} ms", signal, TimeUnit.NANOSECONDS.toMillis(timeoutNs));
        systemd.stopping("draining");
        daemon.node().drain("the daemon stops");
        long endNs = System.nanoTime() + timeoutNs;
        while (daemon.node().streamCount() > 0 && endNs - System.nanoTime() > 0) {
            @Nullable String again = signals.poll(DRAIN_POLL_MS, TimeUnit.MILLISECONDS);
            if (again != null && !again.equals("HUP")) {
                LOG.warn("{} again: ending at once", again);
                return;
            }
        }
        int left = daemon.node().streamCount();
        if (left > 0) {
            LOG.warn("{} streams did not finish in time", left);
        }
    }
}
