// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.spec;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The Wireshark dissector is made from the tables, and shows every packet as it was written down once")
class DissectorTest {
    private static final Path SCRIPT = Path.of("..", "deploy", "wireshark", "metaroce.lua");
    private static final Path VECTORS = Path.of("..", "docs", "spec", "vectors", "packets.txt");
    private static final Path GOLDEN = Path.of("src", "test", "resources", "wireshark");
    private static final int MOP_PORT = 4795;
    private static final int WHOLE = Integer.MAX_VALUE;

    @TempDir
    private Path directory;

    @Test
    void theCommittedScriptIsTheOneThatTheTablesMake() throws IOException {
        assertThat(Files.readString(SCRIPT))
                .as("deploy/wireshark/metaroce.lua; make it with: metaroce spec dissector")
                .isEqualTo(Dissector.lua());
    }

    @Test
    void everyKindOfPacketIsShownInFull() throws Exception {
        SampleExchange capture = new SampleExchange();
        for (byte[] packet : vectors().values()) {
            capture.datagram(packet, MOP_PORT, WHOLE);
        }

        assertGolden("packets.expect", tree(capture.bytes()));
    }

    @Test
    void lossRepairCopiesMovesMarksCreditAndRefusalAreLinked() throws Exception {
        assertGolden("exchange.expect", tree(new SampleExchange().lossy()));
    }

    @Test
    void whatIsWrongOrCutIsSaidAndNeverAnError() throws Exception {
        byte[] packet = requireNonNull(vectors().get("WRITE of one byte"));
        byte[] wrong = packet.clone();
        wrong[20] ^= 1;
        SampleExchange capture =
                new SampleExchange().datagram(wrong, MOP_PORT, WHOLE).datagram(new byte[20], MOP_PORT, WHOLE);
        for (int length = 42; length < 42 + packet.length; length += 3) {
            capture.datagram(packet, MOP_PORT, length);
        }
        for (int length = 0; length < packet.length; length++) {
            capture.datagram(Arrays.copyOf(packet, length), MOP_PORT, WHOLE);
        }

        String shown = tree(capture.bytes());

        assertThat(shown)
                .contains("CRC32C is wrong", "Version, type or operation is not defined", "kept less than the packet")
                .doesNotContain("Lua Error", "lua error");
    }

    @Test
    void anotherPortIsKnownByTheChecksumOfItsPackets() throws Exception {
        byte[] packet = requireNonNull(vectors().get("WRITE of one byte"));
        byte[] wrong = packet.clone();
        wrong[20] ^= 1;

        String shown = tree(new SampleExchange()
                .datagram(packet, 7000, WHOLE)
                .datagram(wrong, 7000, WHOLE)
                .bytes());

        assertThat(shown).containsOnlyOnce("MetaRoCE Open Profile");
    }

    /** The packets of the specification that a receiver accepts, and those whose checksum or version is wrong, by name. */
    private static Map<String, byte[]> vectors() throws IOException {
        Map<String, byte[]> packets = new TreeMap<>();
        String name = "";
        StringBuilder hex = new StringBuilder();
        boolean isGood = false;
        List<String> lines = new ArrayList<>(Files.readAllLines(VECTORS));
        lines.add("end");
        for (String line : lines) {
            if (line.startsWith("  bytes: ")) {
                hex.append(line.substring(9));
            } else if (line.startsWith("  verdict: ")) {
                isGood = line.endsWith(" OK");
            } else if (!line.isBlank() && !line.startsWith(" ") && !line.startsWith("#")) {
                if (isGood && hex.length() < 2 * 256) {
                    packets.put(name, HexFormat.of().parseHex(hex));
                }
                name = line;
                hex.setLength(0);
            }
        }
        return packets;
    }

    private static void assertGolden(String name, String shown) throws IOException {
        Path golden = GOLDEN.resolve(name);
        if (Boolean.getBoolean("metaroce.golden.write")) {
            Files.createDirectories(GOLDEN);
            Files.writeString(golden, shown);
        }
        assertThat(shown)
                .as("%s; write it anew with -Dmetaroce.golden.write=true", golden)
                .isEqualTo(Files.readString(golden));
    }

    /** Our part of what tshark prints of each packet, in two passes, so that links lead forward, too. */
    private String tree(byte[] capture) throws Exception {
        Path file = directory.resolve("capture.pcapng");
        Files.write(file, capture);
        String printed = tshark(
                "-2",
                "-n",
                "-V",
                "-O",
                "metaroce",
                "-r",
                file.toString(),
                "-X",
                "lua_script:" + SCRIPT.toAbsolutePath());
        StringBuilder ours = new StringBuilder();
        boolean isOurs = false;
        for (String line : printed.lines().toList()) {
            isOurs = (line.isEmpty() || line.startsWith(" ")) ? isOurs : line.startsWith("MetaRoCE Open Profile");
            if (isOurs || line.startsWith("Frame ")) {
                ours.append(line.startsWith("Frame ") ? line.substring(0, line.indexOf(':')) : line)
                        .append('\n');
            }
        }
        return ours.toString();
    }

    private String tshark(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("tshark"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        // Nobody's preferences and plugins but ours.
        builder.environment().put("HOME", directory.toString());
        builder.environment().put("XDG_CONFIG_HOME", directory.toString());
        builder.environment().put("LC_ALL", "C.UTF-8");
        assumeTrue(isInstalled(), "tshark is not installed; apt install tshark");
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as("tshark %s", String.join(" ", command))
                .isZero();
        return printed;
    }

    private static boolean isInstalled() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
                .map(place -> Path.of(place, "tshark"))
                .anyMatch(Files::isExecutable);
    }
}
