// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.metaroce.control.cli.CommandFailure;
import io.metaroce.control.cli.ExitCode;
import io.metaroce.harness.decode.PortRange;
import io.metaroce.pcap.CaptureReader;
import io.metaroce.wire.DataFlyweight;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@DisplayName("The passive check says what a capture shows, and no more")
class ReplayCommandTest {
    private static final Path GOLDEN = Path.of("src", "test", "resources", "captures", "replay");
    private static final PortRange PORTS = new PortRange(4795, 4858);
    private static final int WHOLE = Integer.MAX_VALUE;

    @TempDir
    private Path directory;

    @Test
    void theHandedCapturesShowWhatTheirExpectationsSay() throws IOException {
        for (Map.Entry<String, byte[]> handed : HandedCaptures.all().entrySet()) {
            Path golden = GOLDEN.resolve(handed.getKey() + ".expect");
            String found = brief(scan(handed.getValue()));
            if (Boolean.getBoolean("metaroce.golden.write")) {
                Files.createDirectories(GOLDEN);
                Files.writeString(golden, found);
            }
            assertThat(found)
                    .as("%s; write it anew with -Dmetaroce.golden.write=true", golden)
                    .isEqualTo(Files.readString(golden));
        }
    }

    @Test
    void eachBrokenRuleIsNamedWithItsFrame() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        SampleTraffic traffic = new SampleTraffic(Channels.newChannel(file), 1, 256, WHOLE);
        traffic.round(0, 1).acknowledge(0);
        traffic.again(0, 1, 0, 1, 0); // frame 3: CSN 0 once more, without RETRANSMIT
        traffic.again(0, 1, 1, 1, DataFlyweight.FLAG_RETRANSMIT); // frame 4: sequence 1 once more, count still 1
        traffic.acknowledge(0, 3); // frame 5: more than was sent
        traffic.again(0, 300, 2, 1, 0); // frame 6: beyond the window
        traffic.flush();

        JsonNode violations = ReplayReport.of(scan(file.toByteArray())).get("violations");

        assertThat(violations)
                .extracting(violation -> violation.get("rule").textValue() + violation.get("frames"))
                .contains("MOP-SEQ-14[3]", "MOP-SEQ-13[4]", "MOP-SEQ-3[6]", "MOP-LOSS-27[5]");
    }

    @Test
    void retransmissionsAreJudgedByWhatTheCaptureProves() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        SampleTraffic traffic = new SampleTraffic(Channels.newChannel(file), 1, 256, WHOLE);
        int again = DataFlyweight.FLAG_RETRANSMIT;
        traffic.round(0, 1).round(0, 1).round(0, 1).round(0, 1);
        traffic.acknowledge(0, 1).again(0, 1, 1, 2, again); // proven by the echo of 3
        traffic.again(0, 0, 0, 2, again); // acknowledged already
        traffic.round(0, 1).again(0, 4, 4, 2, again); // nothing proves it
        traffic.pause(50_000_000).again(0, 2, 2, 2, again); // proven, and 50 ms ago
        traffic.flush();

        JsonNode sums = ReplayReport.of(scan(file.toByteArray())).get("sums");

        assertThat(sums.get("needed").intValue()).isEqualTo(2);
        assertThat(sums.get("spurious").intValue()).isEqualTo(1);
        assertThat(sums.get("unproven").intValue()).isEqualTo(1);
        assertThat(sums.get("late").intValue()).isEqualTo(1);
        assertThat(sums.get("retransmitted").intValue()).isEqualTo(4);
    }

    @Test
    void silenceWithDataOutstandingIsAStallWithItsCause() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        SampleTraffic traffic = new SampleTraffic(Channels.newChannel(file), 1, 256, WHOLE);
        traffic.round(0, 2).acknowledge(0).acknowledge(1).pause(50_000_000);
        traffic.round(0, 2).pause(30_000_000).round(0, 1);
        traffic.flush();

        assertThat(scan(file.toByteArray()).judge.findings.events())
                .extracting(Findings.Event::words)
                .containsExactly("0xb: stalled for 30001 us, no ACK came");
    }

    @Test
    void printsATableOrJsonAndWritesAPage() throws IOException {
        Path capture = directory.resolve("loss.pcapng");
        Files.write(capture, HandedCaptures.all().get("loss-1-percent"));
        Path page = directory.resolve("report.html");
        StringWriter table = new StringWriter();
        StringWriter json = new StringWriter();

        assertThat(run(table, "--html", page.toString(), capture.toString())).isEqualTo(ExitCode.OK);
        assertThat(run(json, "--json", capture.toString())).isEqualTo(ExitCode.OK);

        assertThat(table.toString()).contains("5 retransmitted (5 needed, 0 spurious, 0 unproven; 0 late)");
        List<String> lines = json.toString().lines().toList();
        JsonNode sums = new ObjectMapper().readTree(lines.get(lines.size() - 1));
        assertThat(sums.get("needed").intValue()).isEqualTo(5);
        assertThat(Files.readString(page))
                .contains("<svg", "polyline", "</html>")
                .doesNotContain("<script", "src=");
    }

    @Test
    void whatIsNoCaptureIsOneLine() throws IOException {
        Path text = directory.resolve("text");
        Files.writeString(text, "this is not a capture, whatever its name says");

        StringWriter out = new StringWriter();
        CommandLine line = new CommandLine(new ReplayCommand()).setOut(new PrintWriter(out));
        line.setExecutionExceptionHandler((failure, command, parsed) -> failure instanceof CommandFailure ? 77 : 78);

        assertThat(line.execute(text.toString())).isEqualTo(77);
        assertThat(line.execute(directory.resolve("absent").toString())).isEqualTo(77);
        assertThat(line.setErr(new PrintWriter(out)).execute("--port", "0", text.toString()))
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void noCaptureWhateverItContainsIsAnException() throws IOException {
        long seed = Long.getLong("metaroce.seed", 20_261);
        Random random = new Random(seed);
        List<byte[]> handed = List.copyOf(HandedCaptures.all().values());
        for (int i = 0; i < 600; i++) {
            byte[] capture = handed.get(i % handed.size()).clone();
            for (int flips = random.nextInt(60); flips >= 0; flips--) {
                capture[random.nextInt(capture.length)] = (byte) random.nextInt();
            }
            assertThat(brief(scan(capture))).as("seed %d, capture %d", seed, i).isNotEmpty();
        }
    }

    private static CaptureScan scan(byte[] capture) throws IOException {
        CaptureReader reader = new CaptureReader(Channels.newChannel(new ByteArrayInputStream(capture)));
        CaptureScan scan = new CaptureScan(reader, PORTS, 10_000_000);
        scan.run();
        return scan;
    }

    private static String brief(CaptureScan scan) {
        JsonNode report = ReplayReport.of(scan);
        StringBuilder text = new StringBuilder("# SPDX-License-Identifier: Apache-2.0\n");
        text.append(report.get("sums"))
                .append('\n')
                .append(report.get("capture"))
                .append('\n');
        for (String part : List.of("violations", "warnings", "events", "connections")) {
            for (JsonNode node : report.get(part)) {
                text.append(part).append(' ').append(node).append('\n');
            }
        }
        return text.toString();
    }

    private static int run(StringWriter out, String... arguments) {
        return new CommandLine(new ReplayCommand()).setOut(new PrintWriter(out)).execute(arguments);
    }
}
