// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.metaroce.control.cli.ChildProcess;
import io.metaroce.control.cli.CommandFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One of the two daemons, seen from the demo: orders in, events out, and its last words if it dies. */
final class DemoProcess implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long EXIT_SECONDS = 10;

    private final String role;
    private final Process process;
    private final BlockingQueue<JsonNode> events = new LinkedBlockingQueue<>();
    private final StringBuilder lastWords = new StringBuilder();

    DemoProcess(String role, List<String> prefix, String... arguments) {
        this.role = role;
        try {
            List<String> command = new ArrayList<>(prefix);
            command.addAll(ChildProcess.command(arguments));
            process = new ProcessBuilder(command).start();
        } catch (IOException e) {
            throw new CommandFailure("the demo's " + role + " could not be started: " + e.getMessage(), e);
        }
        reader(role + "-events", process.getInputStream(), true);
        reader(role + "-errors", process.getErrorStream(), false);
    }

    /** The next event, or null if none comes in time. */
    @Nullable
    JsonNode poll(long timeoutMs) throws InterruptedException {
        return events.poll(timeoutMs, TimeUnit.MILLISECONDS);
    }

    /** Waits for the event with this name, skipping others. */
    JsonNode await(String event, long timeoutMs) throws InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (endNs - System.nanoTime() > 0) {
            JsonNode next = poll(100);
            if (next != null && next.path("event").asText().equals(event)) {
                return next;
            }
            if (next == null && !process.isAlive() && events.isEmpty()) {
                break;
            }
        }
        throw new CommandFailure("the demo's " + role + " did not say \"" + event + "\"" + lastWords());
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** What it wrote to standard error, as the end of a sentence. */
    String lastWords() {
        String words = allWords().strip();
        return words.isEmpty() ? "" : ": " + words.lines().findFirst().orElse("");
    }

    void order(String order) {
        try {
            OutputStream in = process.getOutputStream();
            in.write((order + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException e) {
            throw new CommandFailure("the demo's " + role + " has ended early" + lastWords(), e);
        }
    }

    private void reader(String name, java.io.InputStream stream, boolean areEvents) {
        Thread thread = new Thread(
                () -> {
                    try (BufferedReader lines =
                            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                            take(line, areEvents);
                        }
                    } catch (IOException e) {
                        remember("its output broke off: " + e.getMessage());
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    private void take(String line, boolean isEvent) {
        if (isEvent && line.startsWith("{")) {
            try {
                events.add(JSON.readTree(line));
                return;
            } catch (JsonProcessingException e) {
                remember("unreadable event: ");
            }
        }
        remember(line + '\n');
    }

    private void remember(String words) {
        synchronized (lastWords) {
            lastWords.append(words);
        }
    }

    private String allWords() {
        synchronized (lastWords) {
            return lastWords.toString();
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            try {
                process.getOutputStream().close();
                if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (IOException e) {
                process.destroyForcibly();
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
