// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.control.config.LoadedConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloaderTest {
    @TempDir
    Path directory;

    private Path file = Path.of("");
    private Reloader reloader = new Reloader(null, Map.of(), List.of());

    @BeforeEach
    void newFile() throws IOException {
        file = directory.resolve("metaroced.yaml");
        write("log: {level: info}\n");
        reloader = new Reloader(file, Map.of(), List.of("node.name=n"));
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text);
    }

    @Test
    void saysWhatIsInForceNowAndWhatNeedsARestart() throws Exception {
        LoadedConfig started = reloader.load();
        write("log: {level: debug}\ntransport: {paths: 16}\n");

        Reloader.Outcome outcome = reloader.reload(started, started);

        assertThat(outcome.config()).isNotNull();
        assertThat(outcome.lines())
                .containsExactly(
                        "log.level: \"info\" to \"debug\", in force now",
                        "transport.paths: \"8\" to \"16\", needs a restart; the old value stays");
        assertThat(outcome.summary()).isEqualTo("reloaded");
    }

    @Test
    void keepsSayingThatARestartIsNeededUntilThereWasOne() throws Exception {
        LoadedConfig started = reloader.load();
        write("log: {level: debug}\ntransport: {paths: 16}\n");
        LoadedConfig running = reloader.load();

        assertThat(reloader.reload(started, running).lines())
                .containsExactly("transport.paths: \"8\" to \"16\", needs a restart; the old value stays");
    }

    @Test
    void namesAPortThatCameOrWent() throws Exception {
        LoadedConfig started = reloader.load();
        write("ports: [{name: a}, {name: b, udp_port: 6000}]\n");

        assertThat(reloader.reload(started, started).lines())
                .contains("ports[1].name: nothing to \"b\", needs a restart; the old value stays");
    }

    /** B99, without the signal. */
    @Test
    void refusesAFileThatIsWrongOrGoneAndSaysSo() throws Exception {
        LoadedConfig started = reloader.load();
        write("log: {levle: debug}\n");
        Reloader.Outcome wrong = reloader.reload(started, started);
        Files.delete(file);
        Reloader.Outcome gone = reloader.reload(started, started);

        assertThat(wrong.config()).isNull();
        assertThat(wrong.summary())
                .isEqualTo("reload refused, the old configuration stays: " + file
                        + ":1: log.levle: unknown key; did you mean \"level\"?");
        assertThat(gone.lines()).containsExactly(file + ": no such file");
    }

    @Test
    void speaksToSystemdInItsOwnWords() {
        assertThat(SystemdNotifier.command("READY=1", "STATUS=serving"))
                .containsExactly(
                        "systemd-notify", "--pid=" + ProcessHandle.current().pid(), "READY=1", "STATUS=serving");
        assertThat(new SystemdNotifier(Map.of("NOTIFY_SOCKET", "/run/x", "WATCHDOG_USEC", "4000000"))
                        .watchdogPeriodNs())
                .isEqualTo(2_000_000_000L);
        assertThat(new SystemdNotifier(Map.of("WATCHDOG_USEC", "4000000")).watchdogPeriodNs())
                .isZero();
    }
}
