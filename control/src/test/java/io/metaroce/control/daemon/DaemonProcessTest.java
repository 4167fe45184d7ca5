// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.control.cli.ChildProcess;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The daemon as a process of its own, with real signals. */
@Timeout(120)
class DaemonProcessTest {
    private static final String PORTS =
            "control: {port: 0}\nmetrics: {port: 0}\nports: [{udp_port: 0, source_ports: 8}]\ntransport: {paths: 8}\n";

    @TempDir
    Path directory;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endAll() {
        processes.forEach(Process::destroyForcibly);
    }

    private Process start(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(ChildProcess.command("daemon"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(directory.resolve("stderr").toFile())
                .start();
        processes.add(process);
        return process;
    }

    private static String readyLine(Process process) throws Exception {
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        assertThat(line).startsWith("READY node=");
        return line;
    }

    private static void signal(Process process, String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    private static String metrics(String readyLine) throws Exception {
        String url = readyLine.replaceAll(".*metrics=(\\S+).*", "$1");
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                .body();
    }

    private static void awaitMetrics(String readyLine, Predicate<String> condition) throws Exception {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.test(metrics(readyLine))) {
            assertThat(endNs - System.nanoTime())
                    .as("the metrics never showed it")
                    .isPositive();
        }
    }

    /** B99: a reload signal that kills, or that is ignored while success is printed. */
    @Test
    void survivesEveryReloadSaysWhatBecameOfItAndEndsCleanly() throws Exception {
        Path file = directory.resolve("metaroced.yaml");
        Files.writeString(file, PORTS);
        Process process = start("--config", file.toString());
        String ready = readyLine(process);
        String before = metrics(ready);
        assertThat(before).contains("metaroce_config_reload_success 1.0", "metaroce_lane_state{lane=\"0\"} 1.0");

        Files.writeString(file, "nonsense: 1\n");
        signal(process, "HUP");
        awaitMetrics(ready, text -> text.contains("metaroce_config_reload_success 0.0"));
        Files.writeString(file, PORTS + "log: {level: debug}\n");
        signal(process, "HUP");
        awaitMetrics(ready, text -> text.contains("metaroce_config_reload_success 1.0"));
        Files.delete(file);
        signal(process, "HUP");
        awaitMetrics(ready, text -> text.contains("metaroce_config_reload_success 0.0"));
        signal(process, "TERM");

        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(Files.readString(directory.resolve("stderr")))
                .contains(
                        "reload refused: " + file + ":1: nonsense: unknown key",
                        "the old configuration stays in force",
                        "log.level: \"info\" to \"debug\", in force now",
                        "reload refused: " + file + ": no such file",
                        "TERM: draining");
    }

    @Test
    void endsWithOneLineForEachProblemOfItsConfiguration() throws Exception {
        Path file = directory.resolve("metaroced.yaml");
        Files.writeString(file, "lanes: {cuont: 1}\nmetrics: {port: -1}\n");
        Process process = start("--config", file.toString());

        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(Files.readAllLines(directory.resolve("stderr")))
                .containsExactly(
                        "metaroce: " + file + ":1: lanes.cuont: unknown key; did you mean \"count\"?",
                        "metaroce: " + file + ":2: metrics.port: \"-1\" is not allowed; allowed: 0 to 65535");
    }
}
