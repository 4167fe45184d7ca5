// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.bench;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Two network namespaces joined by a veth pair that cuts every super-packet, so that each packet is lost on its own, and
 * nftables in both that lose the same share of what arrives.
 */
final class LossyLink implements AutoCloseable {
    static final String CLIENT = "10.97.53.1";
    static final String SERVER = "10.97.53.2";

    private static final String[] NAMES = {"mrbench1", "mrbench2"};
    private static final int PARTS = 1000;

    private boolean isBuilt;
    private @Nullable String failure;

    /** Why there is none here; null if there is, or can be. */
    @Nullable
    String missing() {
        for (String program : new String[] {"ip", "nft", "ethtool"}) {
            if (!Child.exists(program)) {
                return "needs " + program + " (apt install iproute2 nftables ethtool)";
            }
        }
        if (!"root".equals(System.getProperty("user.name"))) {
            return "needs root, for network namespaces";
        }
        return failure;
    }

    /** Builds the link if need be, and loses so much from now on. */
    void lose(double percent) throws IOException, InterruptedException {
        if (!isBuilt) {
            build();
        }
        for (String name : NAMES) {
            String rules = "table inet bench\ndelete table inet bench\ntable inet bench { chain in { "
                    + "type filter hook input priority 0; udp dport > 0 numgen random mod " + PARTS + " < "
                    + Math.round(percent * PARTS / 100) + " drop\n}\n}\n";
            Process nft = new ProcessBuilder("ip", "netns", "exec", name, "nft", "-f", "-")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (OutputStream in = nft.getOutputStream()) {
                in.write((percent > 0 ? rules : "flush ruleset\n").getBytes(StandardCharsets.UTF_8));
            }
            if (nft.waitFor() != 0) {
                throw new IOException(String.format(Locale.ROOT, "nft refused a loss of %s %%", percent));
            }
        }
    }

    /** Words that run a command at one end. */
    List<String> inside(boolean isServer) {
        return List.of("ip", "netns", "exec", isServer ? NAMES[1] : NAMES[0]);
    }

    private void build() throws IOException, InterruptedException {
        close();
        isBuilt = true;
        run("ip netns add " + NAMES[0]);
        run("ip netns add " + NAMES[1]);
        run("ip -n " + NAMES[0] + " link add bench1 mtu 9000 type veth peer name bench2 mtu 9000 netns " + NAMES[1]);
        for (int i = 0; i < 2; i++) {
            String device = "bench" + (i + 1);
            run("ip -n " + NAMES[i] + " addr add " + (i == 0 ? CLIENT : SERVER) + "/24 dev " + device);
            run("ip -n " + NAMES[i] + " link set lo up");
            run("ip -n " + NAMES[i] + " link set " + device + " up");
            run("ip netns exec " + NAMES[i] + " ethtool -K " + device
                    + " tx-udp-segmentation off gso off tso off gro off");
        }
    }

    private void run(String words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(words.split(" ", -1))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
            failure = "this host refuses: " + words;
            throw new IOException(failure);
        }
    }

    /** Removes both namespaces, also those that an earlier run left behind. */
    @Override
    public void close() {
        for (String name : NAMES) {
            try {
                new ProcessBuilder("ip", "netns", "del", name)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor(10, TimeUnit.SECONDS);
            } catch (IOException e) {
                return; // No ip command, no namespaces.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        isBuilt = false;
    }
}
