// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.control.daemon.HostCheck.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostExaminationTest {
    private static final long CAPABILITIES_OF_ROOT = 0x1ff_ffff_ffffL;

    @TempDir
    private Path root;

    private void file(String path, String content) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private Map<String, HostCheck> examine(int java, int processors) {
        return new HostExamination(root)
                .host(java, processors).stream().collect(Collectors.toMap(HostCheck::name, Function.identity()));
    }

    private static HostCheck named(Map<String, HostCheck> checks, String name) {
        return Objects.requireNonNull(checks.get(name), name);
    }

    @Test
    void aWellPreparedHostNeedsNoAdvice() throws IOException {
        file("proc/sys/net/core/rmem_max", "16777216\n");
        file(
                "proc/self/limits",
                "Limit  Soft Limit  Hard Limit  Units\nMax locked memory         unlimited  unlimited  bytes\n");
        file("proc/self/status", "Name: java\nCapEff:\t%016x\n".formatted(CAPABILITIES_OF_ROOT));
        file("proc/meminfo", "MemTotal: 1 kB\nHugePages_Total:    1024\nHugePages_Free:      512\n");
        file("sys/devices/system/node/online", "0\n");
        file("sys/devices/system/cpu/isolated", "2-7\n");
        file("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");

        Map<String, HostCheck> checks = examine(17, 8);

        assertThat(checks.values())
                .allMatch(each -> each.verdict() == Verdict.OK && each.advice().isEmpty());
        assertThat(named(checks, "processors").found()).isEqualTo("8, isolated: 2-7");
        assertThat(named(checks, "hugepages").found()).isEqualTo("512 free of 1024");
    }

    @Test
    void whatLimitsUsIsNotedWithWhatToDo() throws IOException {
        file("proc/sys/net/core/rmem_max", "212992\n");
        file("proc/self/limits", "Max locked memory         8388608  8388608  bytes\n");
        file("proc/self/status", "CapEff:\t0000000000000000\n");
        file("proc/meminfo", "HugePages_Total:       0\nHugePages_Free:        0\n");
        file("sys/devices/system/node/online", "0-1\n");
        file("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");

        Map<String, HostCheck> checks = examine(17, 2);

        for (String name : new String[] {"processors", "clock", "rmem_max", "memlock", "hugepages", "numa"}) {
            assertThat(named(checks, name).verdict()).as(name).isEqualTo(Verdict.NOTE);
            assertThat(named(checks, name).advice()).as(name).isNotEmpty();
        }
        assertThat(named(checks, "rmem_max").advice()).contains("sysctl -w net.core.rmem_max");
    }

    @Test
    void aHostThatTellsNothingIsNoReasonToFail() {
        assertThat(examine(17, 8).values()).noneMatch(each -> each.verdict() == Verdict.BAD);
        assertThat(named(examine(11, 8), "java").verdict()).isEqualTo(Verdict.BAD);
    }
}
