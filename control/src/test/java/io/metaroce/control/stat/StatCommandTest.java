// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.stat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.metaroce.control.cli.ExitCode;
import io.metaroce.control.cli.Frame;
import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.CounterFile;
import io.metaroce.counters.PathCounter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatCommandTest {
    private static final int PATHS = 4;
    private static final CounterFile.Shape SHAPE = new CounterFile.Shape(1, 32, PATHS);

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private CounterFile node(String name) throws IOException {
        Path path = CounterDirectory.newFile(directory, name);
        try (FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            UnsafeBuffer mapped = new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, SHAPE.bytes()));
            return CounterFile.format(mapped, name, ProcessHandle.current().pid(), 0, SHAPE);
        }
    }

    private int stat(String... more) {
        String[] arguments = new String[more.length + 5];
        System.arraycopy(
                new String[] {"stat", "--directory", directory.toString(), "--interval", "10ms"}, 0, arguments, 0, 5);
        System.arraycopy(more, 0, arguments, 5, more.length);
        return Frame.of(List.of(new StatCommand()), new PrintWriter(out, true), new PrintWriter(err, true))
                .execute(arguments);
    }

    @Test
    void guardsB96TheOneLossyConnectionOfTwentyIsNamedFirst() throws IOException {
        CounterFile file = node("left");
        for (int i = 0; i < 20; i++) {
            int slot = file.claim(0x100 + i, "10.0.0." + i, PATHS);
            file.counters(slot).connection().add(ConnectionCounter.TX_PACKETS.ordinal(), 1_000_000);
            file.counters(slot)
                    .connection()
                    .add(ConnectionCounter.TX_RETRANSMITTED_SACK.ordinal(), i == 13 ? 5_000 : 3);
        }

        assertThat(stat("--top", "RETRANSMITS", "-n", "3")).isEqualTo(ExitCode.OK);

        List<String> lines = out.toString().lines().toList();
        assertThat(lines.get(0)).startsWith("NODE").contains("RETRANS/s", "RTT[us]");
        assertThat(lines.get(1)).contains("10.0.0.13", "0000010d").endsWith(" 5000");
        assertThat(lines).hasSize(5);
        assertThat(lines.get(4)).isEqualTo("3 of 20 connections of 1 node");
    }

    @Test
    void columnsAreTakenInSmallLettersToo() throws IOException {
        node("left").claim(1, "10.0.0.1", PATHS);

        assertThat(stat("--top", "retransmits")).isEqualTo(ExitCode.OK);
        assertThat(stat("--top", "retransmit")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void jsonHasEveryCounterByTheNameItHasInMetrics() throws IOException {
        CounterFile file = node("left");
        int slot = file.claim(7, "fd00::1", PATHS);
        file.counters(slot).connection().add(ConnectionCounter.RX_BYTES.ordinal(), 123);
        file.counters(slot).paths().set(PathCounter.SRTT_NS.of(2), 40_000);
        node("right");

        assertThat(stat("--json")).isEqualTo(ExitCode.OK);

        JsonNode connection =
                new ObjectMapper().readTree(out.toString()).path("connections").path(0);
        assertThat(connection.path("node").asText()).isEqualTo("left");
        assertThat(connection.path("peer").asText()).isEqualTo("fd00::1");
        assertThat(connection.path("rtt_ns").asLong()).isEqualTo(40_000);
        assertThat(connection.path("counters").path("rx_bytes").asLong()).isEqualTo(123);
        assertThat(connection
                        .path("counters")
                        .path("tx_retransmitted_packets{sack}")
                        .isNumber())
                .isTrue();
    }

    @Test
    void withoutANodeThereIsOneLineAndTheCodeOfFailure() throws IOException {
        Files.write(directory.resolve("dead-0-999999999.counters"), new byte[100]);

        assertThat(stat()).isEqualTo(ExitCode.FAILED);

        assertThat(err.toString().lines()).singleElement().asString().contains("no running node", "metaroce daemon");
    }

    @Test
    void filesOfTheDeadAreSweptAndThoseOfTheLivingStay() throws IOException {
        Path dead = Files.write(directory.resolve("dead-0-999999999.counters"), new byte[100]);
        Path stranger = Files.write(directory.resolve("notes.txt"), new byte[1]);
        node("left");

        CounterDirectory.sweep(directory);

        assertThat(dead).doesNotExist();
        assertThat(stranger).exists();
        assertThat(CounterDirectory.living(List.of(directory))).hasSize(1);
    }

    @Test
    void aDirectoryThatIsALinkIsNotTrusted() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), Files.createDirectory(directory.resolve("d")));

        assertThatThrownBy(() -> CounterDirectory.prepare(link)).hasMessageContaining("is no directory");
    }
}
