// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import io.metaroce.control.daemon.HostCheck.Verdict;
import io.metaroce.port.PacketPortProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Reads what the kernel says of this host below {@code /proc} and {@code /sys}, and judges what matters to us. Changes nothing. */
final class HostExamination {
    private static final int JAVA_NEEDED = 17;
    private static final int PROCESSORS_WANTED = 4;
    private static final long RECEIVE_BUFFER_WANTED = 8L << 20;
    private static final int CAP_NET_ADMIN = 12;
    private static final int CAP_NET_RAW = 13;
    private static final int CAP_IPC_LOCK = 14;
    private static final int CAP_SYS_NICE = 23;

    private final Path root;
    private final List<HostCheck> checks = new ArrayList<>();

    /**
     * @param root {@code /}, or a copy of its {@code proc} and {@code sys}
     */
    HostExamination(Path root) {
        this.root = root;
    }

    /** Everything that does not need the ports, in the order in which people ask. */
    List<HostCheck> host(int javaVersion, int processors) {
        checks.add(HostCheck.of(
                "java",
                javaVersion >= JAVA_NEEDED,
                Verdict.BAD,
                "version " + javaVersion,
                "Java 17 or newer is needed."));
        checks.add(HostCheck.of(
                "processors",
                processors >= PROCESSORS_WANTED,
                Verdict.NOTE,
                processors + ", isolated: " + orNone(line("sys/devices/system/cpu/isolated")),
                "Lanes share processors with applications and the kernel: leave lanes.idle at backoff."));
        clock();
        long capabilities = capabilities();
        receiveBuffer(capabilities);
        lockedMemory(capabilities);
        hugePages();
        numa();
        String names = names(capabilities);
        checks.add(new HostCheck("capabilities", Verdict.OK, names.isEmpty() ? "none; none is needed" : names, ""));
        return checks;
    }

    /** What can carry packets here. */
    List<HostCheck> portKinds() {
        for (PacketPortProvider provider : ServiceLoader.load(PacketPortProvider.class)) {
            String missing = provider.missing();
            checks.add(new HostCheck(
                    "kind " + provider.kind(),
                    missing == null ? Verdict.OK : provider.kind().equals("socket") ? Verdict.BAD : Verdict.NOTE,
                    missing == null ? "can be used" : "cannot be used",
                    missing == null ? "" : missing));
        }
        return checks;
    }

    private void clock() {
        String source = orNone(line("sys/devices/system/clocksource/clocksource0/current_clocksource"));
        boolean isCheap = source.equals("tsc") || source.equals("kvm-clock") || source.equals("arch_sys_counter");
        checks.add(
                HostCheck.of(
                        "clock",
                        isCheap,
                        Verdict.NOTE,
                        source,
                        "Reading the time enters the kernel, once a duty cycle: boot with clocksource=tsc where that is stable."));
    }

    private void receiveBuffer(long capabilities) {
        long bytes = number(line("proc/sys/net/core/rmem_max"), 0);
        boolean mayExceed = has(capabilities, CAP_NET_ADMIN);
        checks.add(HostCheck.of(
                "rmem_max",
                bytes >= RECEIVE_BUFFER_WANTED || mayExceed,
                Verdict.NOTE,
                bytes + " B" + (mayExceed ? ", which CAP_NET_ADMIN may exceed" : ""),
                "Socket ports get a small receive buffer, and tell peers to send less at once: "
                        + "sysctl -w net.core.rmem_max=16777216"));
    }

    private void lockedMemory(long capabilities) {
        String limit = "unknown";
        for (String each : lines("proc/self/limits")) {
            if (each.startsWith("Max locked memory")) {
                limit = each.substring("Max locked memory".length()).trim().split("\\s+", -1)[0];
            }
        }
        boolean isUnlimited = limit.equals("unlimited") || has(capabilities, CAP_IPC_LOCK);
        checks.add(HostCheck.of(
                "memlock",
                isUnlimited,
                Verdict.NOTE,
                isUnlimited ? "not limited" : limit + " B",
                "DPDK with hugepages, and pinned memory, need more: ulimit -l unlimited, or LimitMEMLOCK=infinity."));
    }

    private void hugePages() {
        long total = 0;
        long free = 0;
        for (String each : lines("proc/meminfo")) {
            if (each.startsWith("HugePages_Total:")) {
                total = number(each.substring("HugePages_Total:".length()), 0);
            } else if (each.startsWith("HugePages_Free:")) {
                free = number(each.substring("HugePages_Free:".length()), 0);
            }
        }
        checks.add(
                HostCheck.of(
                        "hugepages",
                        free > 0,
                        Verdict.NOTE,
                        free + " free of " + total,
                        "A dpdk port on a NIC needs some: sysctl -w vm.nr_hugepages=1024. Virtual devices run with --no-huge."));
    }

    private void numa() {
        String nodes = orNone(line("sys/devices/system/node/online"));
        boolean isOne = nodes.equals("0") || nodes.equals("none");
        checks.add(HostCheck.of(
                "numa",
                isOne,
                Verdict.NOTE,
                "nodes " + nodes,
                "Give a lane processors of its NIC's node (lanes.affinity); that node stands in "
                        + "/sys/class/net/NAME/device/numa_node."));
    }

    private long capabilities() {
        for (String each : lines("proc/self/status")) {
            if (each.startsWith("CapEff:")) {
                try {
                    return Long.parseUnsignedLong(
                            each.substring("CapEff:".length()).trim(), 16);
                } catch (NumberFormatException e) {
                    return 0;
                }
            }
        }
        return 0;
    }

    private static String names(long capabilities) {
        List<String> names = new ArrayList<>();
        if (has(capabilities, CAP_NET_RAW)) {
            names.add("NET_RAW (af_packet)");
        }
        if (has(capabilities, CAP_NET_ADMIN)) {
            names.add("NET_ADMIN (receive buffers)");
        }
        if (has(capabilities, CAP_IPC_LOCK)) {
            names.add("IPC_LOCK (pinned memory)");
        }
        if (has(capabilities, CAP_SYS_NICE)) {
            names.add("SYS_NICE (affinity of others)");
        }
        return String.join(", ", names);
    }

    private static boolean has(long capabilities, int which) {
        return (capabilities >>> which & 1) != 0;
    }

    private @Nullable String line(String path) {
        List<String> all = lines(path);
        return all.isEmpty() ? null : all.get(0).trim();
    }

    /** What a kernel does not offer reads as nothing. */
    private List<String> lines(String path) {
        try {
            return Files.readAllLines(root.resolve(path));
        } catch (IOException e) {
            return List.of();
        }
    }

    private static String orNone(@Nullable String text) {
        return text == null || text.isEmpty() ? "none" : text;
    }

    private static long number(@Nullable String text, long otherwise) {
        try {
            return text == null ? otherwise : Long.parseLong(text.trim());
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }
}
