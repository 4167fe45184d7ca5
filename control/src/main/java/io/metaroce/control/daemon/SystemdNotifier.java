// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells systemd how the service fares, through its program {@code systemd-notify}, since Java has no datagrams over Unix
 * sockets. Does nothing where no {@code NOTIFY_SOCKET} is set. The unit needs {@code NotifyAccess=all}.
 */
final class SystemdNotifier {
    private static final Logger LOG = LoggerFactory.getLogger(SystemdNotifier.class);
    private static final int TIMEOUT_SECONDS = 5;

    private final boolean isWanted;
    private final long watchdogNs;

    SystemdNotifier(Map<String, String> environment) {
        this.isWanted = environment.containsKey("NOTIFY_SOCKET");
        this.watchdogNs = isWanted ? microseconds(environment.getOrDefault("WATCHDOG_USEC", "")) * 1000 : 0;
    }

    private static long microseconds(String text) {
        try {
            return Math.max(0, Long.parseLong(text));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** How often to call {@link #alive}: half of what systemd allows; 0 if it does not watch. */
    long watchdogPeriodNs() {
        return watchdogNs / 2;
    }

    void ready(String status) {
        send("READY=1", "STATUS=" + status);
    }

    /** A reload begins; {@link #ready} follows whether it is taken or not. */
    void reloading(long nowNs) {
        send("RELOADING=1", "MONOTONIC_USEC=" + nowNs / 1000);
    }

    void stopping(String status) {
        send("STOPPING=1", "STATUS=" + status);
    }

    void alive() {
        send("WATCHDOG=1");
    }

    private void send(String... assignments) {
        if (!isWanted) {
            return;
        }
        try {
            Process process = new ProcessBuilder(command(assignments))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            LOG.warn("systemd cannot be told: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static List<String> command(String... assignments) {
        List<String> command = new ArrayList<>();
        command.add("systemd-notify");
        command.add("--pid=" + ProcessHandle.current().pid());
        command.addAll(List.of(assignments));
        return command;
    }
}
