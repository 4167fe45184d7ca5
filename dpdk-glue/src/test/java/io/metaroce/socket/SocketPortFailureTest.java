// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.port.PortException;
import io.metaroce.port.PortSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever keeps a port from opening is one line that names the setting and the cure. */
class SocketPortFailureTest {
    private static PortSettings settings(String address, int udpPort, int sourcePorts, Map<String, String> options) {
        return new PortSettings("socket", "plane0", 0, address, udpPort, sourcePorts, 32, 8256, 1 << 20, 0, options);
    }

    @Test
    void aPortInUseIsNamedWithItsAddress() {
        try (SocketPort first = Ports.open("127.0.0.1")) {
            assertThatThrownBy(() -> SocketPortAssembly.open(Ports.settings("127.0.0.1", first.udpPort())))
                    .isInstanceOf(PortException.class)
                    .hasMessageContaining("127.0.0.1:" + first.udpPort() + ": already in use")
                    .hasMessageContaining("choose another port")
                    .hasMessageNotContaining("\n");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.77, this host has no such address",
        "2001:db8::77, this host has no such address",
        "fe80::1, invalid: a link-local address needs its interface",
        "no.such.host.invalid, neither an address nor a name",
        "fe80::1%nosuch0, neither an address nor a name",
        "300.1.1.1, neither an address nor a name"
    })
    void anAddressThatIsNotOursIsNamed(String address, String why) {
        assertThatThrownBy(() -> Ports.open(address))
                .isInstanceOf(PortException.class)
                .hasMessageStartingWith("port plane0: ")
                .hasMessageContaining(address.substring(0, 4))
                .hasMessageContaining(why)
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @CsvSource({
        "70000, 8, udpPort must be 0..65535",
        "0, 0, sourcePorts must be 1..1024",
        "0, 1025, sourcePorts must be"
    })
    void aSettingOutOfRangeIsNamedWithItsRange(int udpPort, int sourcePorts, String why) {
        assertThatThrownBy(() -> SocketPortAssembly.open(settings("127.0.0.1", udpPort, sourcePorts, Map.of())))
                .isInstanceOf(PortException.class)
                .hasMessageContaining(why);
    }

    @Test
    void anUnknownOptionIsAnError() {
        assertThatThrownBy(() -> SocketPortAssembly.open(settings("127.0.0.1", 0, 1, Map.of("sed", "1"))))
                .hasMessageContaining("no option 'sed'")
                .hasMessageContaining("seed");
        assertThatThrownBy(() -> SocketPortAssembly.open(settings("127.0.0.1", 0, 1, Map.of("seed", "x"))))
                .hasMessageContaining("seed must be a whole number");
    }

    @Test
    void aPortThatFailsToOpenLeavesNoDescriptorBehind() throws IOException {
        try (SocketPort first = Ports.open("127.0.0.1")) {
            long before = openDescriptors();
            for (int i = 0; i < 200; i++) {
                assertThatThrownBy(() -> SocketPortAssembly.open(Ports.settings("127.0.0.1", first.udpPort())))
                        .isInstanceOf(PortException.class);
            }
            assertThat(openDescriptors()).isLessThan(before + 20);
        }
    }

    private static long openDescriptors() throws IOException {
        try (var descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.count();
        }
    }

    /** B69: the native stub cannot be unpacked. */
    @Test
    void aDirectoryThatCannotHoldTheNativeStubIsNamedWithTheProperty(@TempDir Path directory) throws Exception {
        Path missing = directory.resolve("missing");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                        "-Djffi.extract.dir=" + missing,
                        "-cp",
                        System.getProperty("java.class.path"),
                        OpenAndComplain.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(child.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);

        assertThat(child.waitFor()).isEqualTo(1);
        assertThat(output.strip().lines().toList()).hasSize(1);
        assertThat(output).contains(missing.toString(), "-Djffi.extract.dir=DIR", "noexec");
    }

    /** Opens a port in a JVM of its own and prints the complaint. */
    static final class OpenAndComplain {
        private OpenAndComplain() {}

        public static void main(String[] args) {
            try {
                new SocketPortProvider().open(Ports.settings("127.0.0.1", 0)).close();
            } catch (PortException e) {
                System.out.println(e.getMessage());
                System.exit(1);
            }
        }
    }
}
