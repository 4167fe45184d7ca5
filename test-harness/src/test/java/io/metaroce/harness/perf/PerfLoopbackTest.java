// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.metaroce.control.cli.Command;
import io.metaroce.control.cli.ExitCode;
import io.metaroce.control.cli.Frame;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both commands, as typed, in one process: real sockets, every byte checked. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PerfLoopbackTest {
    private static final Pattern PORT = Pattern.compile("Waiting for clients on TCP port (\\d+)");

    /** One command that runs, and what it has printed. */
    private static final class Shell {
        private final StringWriter out = new StringWriter();
        private final StringWriter err = new StringWriter();
        private final CompletableFuture<Integer> exit;

        private Shell(String... arguments) {
            List<Command> commands = List.of(new PerfCommand());
            exit = CompletableFuture.supplyAsync(
                    () -> Frame.of(commands, new PrintWriter(out, true), new PrintWriter(err, true))
                            .execute(arguments));
        }

        private int exitCode() throws Exception {
            return exit.get(100, TimeUnit.SECONDS);
        }

        private JsonNode json() throws Exception {
            String text = out.toString().strip();
            return new ObjectMapper().readTree(text.substring(text.lastIndexOf('\n') + 1));
        }

        private int port() throws Exception {
            SleepingMillisIdleStrategy idle = new SleepingMillisIdleStrategy(5);
            for (int i = 0; i < 4_000; i++) {
                Matcher matcher = PORT.matcher(out.toString());
                if (matcher.find()) {
                    return Integer.parseInt(matcher.group(1));
                }
                assertThat(exit.isDone()).as(err.toString()).isFalse();
                idle.idle();
            }
            throw new AssertionError("the server never said its port");
        }
    }

    private static Shell server(String... more) {
        List<String> arguments = new ArrayList<>(List.of("perf", "server", "--once", "-p", "0"));
        arguments.addAll(List.of(more));
        return new Shell(arguments.toArray(String[]::new));
    }

    private static Shell client(int port, String host, String test, String... more) {
        List<String> arguments = new ArrayList<>(
                List.of("perf", "client", host, test, "-p", Integer.toString(port), "--warmup", "0", "--json"));
        arguments.addAll(List.of(more));
        return new Shell(arguments.toArray(String[]::new));
    }

    /** The client's row, after both sides ended well. */
    private static JsonNode measure(String bind, String test, String... more) throws Exception {
        Shell server = server("--bind", bind);
        Shell client = client(server.port(), bind, test, more);
        assertThat(client.exitCode()).as(client.err.toString()).isEqualTo(ExitCode.OK);
        assertThat(server.exitCode()).as(server.err.toString()).isEqualTo(ExitCode.OK);
        return client.json().path("results").path(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "8191", "8192", "8193"})
    void guardsB32AndB46WritesOfEverySizeAroundAPacketAreRight(String size) throws Exception {
        JsonNode row = measure("127.0.0.1", "write_bw", "-s", size, "-n", "200");

        assertThat(row.path("n_iterations").asLong()).isEqualTo(200);
        assertThat(row.path("Wrong").asLong()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"send_bw, 0", "send_bw, 1", "send_bw, 8193", "send_lat, 0", "send_lat, 8193", "write_lat, 1"})
    void otherTestsAreRightOverIpv6(String test, String size) throws Exception {
        JsonNode row = measure("::1", test, "-s", size, "-n", "100");

        assertThat(row.path("n_iterations").asLong()).isEqualTo(100);
        assertThat(row.path("Wrong").asLong()).isZero();
    }

    @Test
    void severalQueuePairsShareOneConnectionAndEachIsChecked() throws Exception {
        JsonNode row = measure("127.0.0.1", "send_bw", "-s", "10000", "-n", "100", "-q", "5", "-t", "20");

        assertThat(row.path("n_iterations").asLong()).isEqualTo(500);
        assertThat(row.path("tx_depth").asInt()).isEqualTo(32);
        assertThat(row.path("Wrong").asLong()).isZero();
    }

    @Test
    void lossesAreCountedAndRepaired() throws Exception {
        JsonNode row =
                measure("127.0.0.1", "write_bw", "-s", "256K", "-n", "200", "--faults", "loss=2%,only=data,seed=11");

        long lost = row.path("LostByFault").asLong();
        assertThat(lost).isPositive();
        assertThat(row.path("Retransmissions").asLong()).isGreaterThanOrEqualTo(lost);
        assertThat(row.path("Wrong").asLong()).isZero();
    }

    @Test
    void aTimedRunEndsInTime() throws Exception {
        JsonNode row = measure("127.0.0.1", "write_bw", "-s", "4K", "-D", "500ms", "--report_gbits");

        assertThat(row.path("elapsed_seconds").asDouble()).isBetween(0.5, 20.0);
        assertThat(row.path("units").asText()).isEqualTo("Gb/sec");
        assertThat(row.path("n_iterations").asLong()).isPositive();
    }

    @Test
    void aMismatchIsNamedOnBothSidesAndNothingHangs() throws Exception {
        Shell server = server("write_bw", "-s", "64K");
        Shell client = client(server.port(), "127.0.0.1", "write_bw", "-s", "32K", "-n", "10");

        assertThat(client.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(server.exitCode()).isEqualTo(ExitCode.FAILED);
        String difference = "option mismatch: -s is 65536 at the server, 32768 at the client";
        assertThat(client.err.toString()).contains(difference);
        assertThat(server.err.toString()).contains(difference);
    }

    @Test
    void guardsB60AnEarlyClientSaysThatItWaitsAndGivesUpInTime() throws Exception {
        Shell client = client(1, "127.0.0.1", "write_bw", "--timeout", "1s");

        assertThat(client.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(client.err.toString().lines())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("waiting for peer 127.0.0.1:1");
    }

    @Test
    void aPortThatIsTakenIsOneLine() throws Exception {
        Shell first = server();
        Shell second = new Shell("perf", "server", "-p", Integer.toString(first.port()));

        assertThat(second.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(second.err.toString().lines()).singleElement().asString().contains("already in use", "-p");
        Shell client = client(first.port(), "127.0.0.1", "write_lat", "-n", "1");
        assertThat(client.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(first.exitCode()).isEqualTo(ExitCode.OK);
    }
}
