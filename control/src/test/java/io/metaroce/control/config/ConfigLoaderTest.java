// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigLoaderTest {
    @TempDir
    Path directory;

    @Test
    void startsWithNoFileAtAll() {
        DaemonConfig config = DaemonConfig.defaults();

        assertThat(config.ports()).hasSize(1);
        assertThat(config.ports().get(0).name()).isEqualTo("port0");
        assertThat(config.control().bind()).isEqualTo("127.0.0.1");
        assertThat(config.transport().paths()).isEqualTo(8);
        assertThat(config.transport().rtoFloorNs()).isEqualTo(20_000_000);
    }

    @Test
    void readsValuesWithUnits() throws Exception {
        DaemonConfig config = file("""
                ports:
                  - name: rail0
                    address: 127.0.0.2
                    receive_buffer: 64KiB
                    rate: 100Gbit
                  - name: rail1
                    address: "fe80::1%eth0"
                    options: {gso: off}
                transport:
                  rto_floor: 100us
                  connection_timeout: 1min
                """).config();

        assertThat(config.ports().get(0).receiveBufferBytes()).isEqualTo(65536);
        assertThat(config.ports().get(0).rateBitsPerSecond()).isEqualTo(100_000_000_000L);
        assertThat(config.ports().get(1).address()).isEqualTo("fe80::1%eth0");
        assertThat(config.ports().get(1).options()).containsExactly(Map.entry("gso", "off"));
        assertThat(config.transport().rtoFloorNs()).isEqualTo(100_000);
        assertThat(config.transport().connectionTimeoutNs()).isEqualTo(60_000_000_000L);
    }

    @Test
    void namesFileLineAndNearestKeyForAnUnknownKey() {
        assertThat(problems("transport:\n  paths: 8\n  rto_flor: 2ms\n"))
                .containsExactly("f.yaml:3: transport.rto_flor: unknown key; did you mean \"rto_floor\"?");
    }

    @Test
    void namesTheSectionAKeyBelongsToWhenItStandsElsewhere() {
        assertThat(problems("paths: 8\n"))
                .containsExactly("f.yaml:1: paths: unknown key; did you mean \"transport.paths\"?");
    }

    @Test
    void reportsAMisspeltSectionOnceAndNotForEveryKeyInIt() {
        assertThat(problems("transprot:\n  paths: 8\n  streams_max: 3\n"))
                .containsExactly("f.yaml:2: transprot: unknown key; did you mean \"transport\"?");
    }

    @Test
    void gathersEveryProblemBeforeRefusing() {
        assertThat(problems("lanes:\n  count: 0\n  idle: spin\nmetrics:\n  enabled: yes\n"))
                .containsExactly(
                        "f.yaml:2: lanes.count: \"0\" is not allowed; allowed: 1 to 64",
                        "f.yaml:3: lanes.idle: \"spin\" is not allowed; allowed: backoff or busy_spin",
                        "f.yaml:5: metrics.enabled: \"yes\" is not allowed; allowed: true or false");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "lanes: 3 | lanes: a section with the keys count, idle, affinity, stall_limit, not a value",
                "lanes: {count: {a: 1}} | lanes.count.a: lanes.count takes one value: 1 to 64",
                "lanes: {count: [1]} | lanes.count[0]: lanes.count takes one value: 1 to 64",
                "lanes: {count: } | lanes.count: no value; remove the line to keep the default",
                "lanes: {count: 1, count: 2} | lanes.count: given twice, first at line 1",
                "lanes.count: 1 | key \"lanes.count\": keys are nested words of letters, digits and underscores",
                "ports: [] | ports: an empty list; at least one port is needed",
                "ports: {name: a} | ports.name: unknown key; did you mean \"node.name\"?",
                "lanes: &a {count: 1} | lanes: anchors (&) and aliases (*) are not taken; write the value out",
                "just words | the file must be a mapping of sections, such as \"lanes:\"",
                "transport: {payload_max: 4000} | transport.payload_max: \"4000\" is not allowed; allowed: 256B to 8KiB, a power of two",
                "transport: {rto_floor: 2} | transport.rto_floor: \"2\" is not allowed; allowed: 50us to 1s (times are written with a unit: 100us, 2ms, 5s or 1min)",
                "control: {peers: '10.0.0.0/8,x/3'} | control.peers: \"10.0.0.0/8,x/3\" is not allowed; allowed: a list of prefixes such as 10.0.0.0/8,fd00::/8, or nothing (\"x/3\" is not one)",
                "control: {bind: localhost} | control.bind: \"localhost\" is not allowed; allowed: an IPv4 or IPv6 address (names are not looked up here)",
            })
    void saysInOneLineWhatIsWrong(String text, String expected) {
        assertThat(problems(text)).containsExactly("f.yaml:1: " + expected);
    }

    @Test
    void refusesASecondDocument() {
        assertThat(problems("lanes: {count: 1}\n---\nlanes: {count: 2}\n"))
                .containsExactly("f.yaml:3: a second document in the file; one is read");
    }

    @Test
    void namesTheLineOfABrokenText() {
        assertThat(problems("lanes:\n  count: [1\nmetrics: 3\n"))
                .singleElement()
                .asString()
                .startsWith("f.yaml:3: not valid YAML");
    }

    /** B28: a class written into the whole byte marked every packet as having met congestion. */
    @Test
    void takesAClassAsDscpAndRefusesAByteThatWouldHoldEcnBits() throws Exception {
        assertThat(file("ports: [{dscp: 3}]\n").config().ports().get(0).dscp()).isEqualTo(3);
        for (String tos : List.of("3", "0x0d")) {
            assertThat(problems("ports: [{tos: " + tos + "}]\n"))
                    .containsExactly(
                            "f.yaml:1: ports[0].tos: is not taken: it would hold the two ECN bits, which are the"
                                    + " transport's; give dscp = tos / 4 (0 to 63)");
        }
        assertThat(problems("ports: [{dscp: 64}]\n"))
                .containsExactly("f.yaml:1: ports[0].dscp: \"64\" is not allowed; allowed: 0 to 63");
    }

    @Test
    void letsTheFlagWinOverTheEnvironmentAndTheEnvironmentOverTheFile() throws Exception {
        String text = "transport:\n  paths: 9\n  streams_max: 9\n  incast_degree: 9\n";
        Map<String, String> environment =
                Map.of("METAROCE_TRANSPORT_PATHS", "10", "METAROCE_TRANSPORT_STREAMS_MAX", "10", "HOME", "/root");

        Settings settings = ConfigLoader.loadText("f.yaml", text, environment, List.of("transport.paths=11"))
                .settings();

        assertThat(describe(settings, "transport.paths")).isEqualTo("11 from --set transport.paths=11");
        assertThat(describe(settings, "transport.streams_max")).isEqualTo("10 from METAROCE_TRANSPORT_STREAMS_MAX");
        assertThat(describe(settings, "transport.incast_degree")).isEqualTo("9 from f.yaml:4");
        assertThat(describe(settings, "transport.csn_window")).isEqualTo("16384 from default");
    }

    @Test
    void changesOrAddsAPortFromEnvironmentAndFlag() throws Exception {
        DaemonConfig config = ConfigLoader.loadText(
                        "f.yaml",
                        "ports: [{name: a}]\n",
                        Map.of("METAROCE_PORTS_0_UDP_PORT", "5000"),
                        List.of("ports.1.name=b", "ports[1].options.gso=off"))
                .config();

        assertThat(config.ports().get(0).udpPort()).isEqualTo(5000);
        assertThat(config.ports().get(1).name()).isEqualTo("b");
        assertThat(config.ports().get(1).options()).containsEntry("gso", "off");
    }

    @Test
    void refusesAPortThatLeavesAGap() {
        assertThat(problems("", Map.of(), List.of("ports[3].name=b")))
                .containsExactly("--set ports[3].name=b: ports[3].name: there are 1 ports; the next is ports[1]");
    }

    @Test
    void warnsOfAVariableThatSetsNothing() throws Exception {
        LoadedConfig loaded = ConfigLoader.loadText("f.yaml", "", Map.of("METAROCE_TRANSPORT_PATH", "8"), List.of());

        assertThat(loaded.warnings())
                .containsExactly("environment variable METAROCE_TRANSPORT_PATH sets nothing; did you mean"
                        + " \"METAROCE_TRANSPORT_PATHS\"?");
    }

    @Test
    void namesTheVariableOrFlagOfAWrongValue() {
        assertThat(problems("", Map.of("METAROCE_LANES_COUNT", "x"), List.of("metrics.port=70000", "nonsense")))
                .containsExactly(
                        "METAROCE_LANES_COUNT: lanes.count: \"x\" is not allowed; allowed: 1 to 64 (a whole number is"
                                + " needed)",
                        "--set metrics.port=70000: metrics.port: \"70000\" is not allowed; allowed: 0 to 65535",
                        "--set nonsense: a flag is written --set key=value");
    }

    @Test
    void namesAFileThatIsMissingOrIsNotText() throws Exception {
        Path missing = directory.resolve("missing.yaml");
        Path binary = directory.resolve("binary.yaml");
        Files.write(binary, new byte[] {(byte) 0xff, (byte) 0xfe, 0});

        assertThat(problemsOf(missing)).containsExactly(missing + ": no such file");
        assertThat(problemsOf(binary)).containsExactly(binary + ": not UTF-8 text");
        assertThat(problemsOf(directory)).singleElement().asString().startsWith(directory + ": cannot be read");
    }

    @Test
    void readsAFileThatIsEmptyOrOnlyComments() throws Exception {
        Path file = directory.resolve("empty.yaml");
        Files.writeString(file, "# nothing\n", StandardCharsets.UTF_8);

        assertThat(ConfigLoader.load(file, Map.of(), List.of()).config()).isEqualTo(DaemonConfig.defaults());
    }

    private static String describe(Settings settings, String key) {
        return settings.get(key).text() + " from " + settings.get(key).origin();
    }

    private static LoadedConfig file(String text) throws ConfigException {
        return ConfigLoader.loadText("f.yaml", text, Map.of(), List.of());
    }

    private static List<String> problems(String text) {
        return problems(text, Map.of(), List.of());
    }

    private static List<String> problems(String text, Map<String, String> environment, List<String> sets) {
        return catchThrowableOfType(
                        ConfigException.class, () -> ConfigLoader.loadText("f.yaml", text, environment, sets))
                .problems();
    }

    private static List<String> problemsOf(Path file) {
        return catchThrowableOfType(ConfigException.class, () -> ConfigLoader.load(file, Map.of(), List.of()))
                .problems();
    }
}
