// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.port.PortException;
import io.metaroce.port.ThreadAffinity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class LinuxThreadAffinityTest {
    private static String allowed() throws IOException {
        return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theCallingThreadRunsOnTheOneProcessorAndNoOtherThreadDoes() throws Exception {
        ThreadAffinity affinity =
                ServiceLoader.load(ThreadAffinity.class).findFirst().orElseThrow();
        String before = allowed();
        int cpu = Integer.parseInt(before.replaceAll("[-,].*", ""));
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            String after = thread.submit(() -> {
                        affinity.pinCurrentThread(cpu);
                        return allowed();
                    })
                    .get();

            assertThat(after).isEqualTo(Integer.toString(cpu));
            assertThat(allowed()).isEqualTo(before);
        } finally {
            thread.shutdown();
        }
    }

    @Test
    void aProcessorThatIsNotThereIsNamed() {
        ThreadAffinity affinity = new LinuxThreadAffinity();

        assertThatThrownBy(() -> affinity.pinCurrentThread(1023))
                .isInstanceOf(PortException.class)
                .hasMessageContaining("processor 1023");
        assertThatThrownBy(() -> affinity.pinCurrentThread(-1)).hasMessageContaining("give one of 0-1023");
    }
}
