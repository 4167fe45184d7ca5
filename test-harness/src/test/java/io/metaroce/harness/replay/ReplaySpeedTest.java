// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.harness.decode.PortRange;
import io.metaroce.pcap.CaptureReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
@DisplayName("A large capture is judged at a million packets a second, in memory that does not grow")
class ReplaySpeedTest {
    private static final int ROUNDS = 40_000;
    private static final int PATHS = 32;
    private static final double PACKETS_PER_SECOND = 1.0e6;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @TempDir
    private Path directory;

    @Test
    void twoAndAHalfMillionPacketsOf128Bytes() throws IOException {
        Path file = directory.resolve("large.pcapng");
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            SampleTraffic traffic = new SampleTraffic(out, 1, 4096, 128);
            for (int i = 0; i < ROUNDS; i++) {
                traffic.round(0, PATHS).round(0, PATHS / 2);
                for (int path = 0; path < PATHS; path += 2) {
                    traffic.acknowledge(path);
                }
                if (i % 4 == 3) {
                    for (int path = 1; path < PATHS; path += 2) {
                        traffic.acknowledge(path);
                    }
                }
            }
            traffic.flush();
        }
        // The first run is for the compiler.
        scan(file);
        long heapBefore = usedHeapBytes();
        // Time of the processor, not of the wall: other work on the machine is not ours.
        long beganNs = THREADS.getCurrentThreadCpuTime();
        CaptureScan scan = scan(file);
        double seconds = (THREADS.getCurrentThreadCpuTime() - beganNs) / 1e9;
        System.out.printf(
                "%d packets in %.2f s, %.2f M/s, heap %+d KiB%n",
                scan.packets, seconds, scan.packets / seconds / 1e6, (usedHeapBytes() - heapBefore) / 1024);

        assertThat(scan.judge.findings.total()).isZero();
        assertThat(scan.mop).isEqualTo(scan.packets).isGreaterThan(2_500_000);
        assertThat(scan.packets / seconds).isGreaterThan(PACKETS_PER_SECOND);
    }

    private static CaptureScan scan(Path file) throws IOException {
        try (FileChannel in = FileChannel.open(file)) {
            CaptureScan scan = new CaptureScan(new CaptureReader(in), new PortRange(4795, 4858), 10_000_000);
            scan.run();
            return scan;
        }
    }

    private static long usedHeapBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
