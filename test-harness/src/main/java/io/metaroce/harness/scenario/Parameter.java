// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import org.jspecify.annotations.Nullable;

/** Everything a scenario can set: its key in the file, what it may be, what it is otherwise. Times in microseconds. */
public enum Parameter {
    TOPOLOGY("topology", "single-switch", "single-switch", "leaf-spine", "fat-tree", "rails", "two-sites"),
    HOSTS("hosts", "2", 2, 65_536),
    HOSTS_PER_LEAF("hosts-per-leaf", "8", 1, 1_024),
    SPINES("spines", "8", 1, 1_024),
    FAT_TREE_K("fat-tree-k", "4", 2, 64),
    LONG_LINKS("long-links", "1", 1, 256),
    INTERLEAVED("interleaved", "off", "on", "off"),
    PLANES("planes", "1", 1, 8),
    RATE_GBPS("rate-gbps", "400", 0.001, 10_000),
    DELAY_US("delay-us", "1", 0, 1_000_000),
    CORE_RATE_GBPS("core-rate-gbps", "0", 0, 10_000),
    CORE_DELAY_US("core-delay-us", "-1", -1, 1_000_000),
    /** The last spine's links take so many times longer than the first's. */
    CORE_DELAY_SKEW("core-delay-skew", "1", 1, 1_000),
    QUEUE_PACKETS("queue-packets", "1000", 1, 10_000_000),
    /** -1: nothing is ever marked. */
    ECN_FROM_PACKETS("ecn-from-packets", "-1", -1, 10_000_000),
    ECN_TO_PACKETS("ecn-to-packets", "-1", -1, 10_000_000),
    ACK_PRIORITY("ack-priority", "off", "on", "off"),
    /** 0: each queue has its own memory. */
    SHARED_BUFFER_PACKETS("shared-buffer-packets", "0", 0, 10_000_000),
    SHARED_BUFFER_ALPHA("shared-buffer-alpha", "1", 0.01, 64),
    /** 0: no priority flow control. */
    PAUSE_FROM_PACKETS("pause-from-packets", "0", 0, 10_000_000),
    SPRAY("spray", "off", "on", "off"),
    LOSS("loss", "0", 0, 1),
    ACK_LOSS("ack-loss", "0", 0, 1),
    LOSS_MODEL("loss-model", "bernoulli", "bernoulli", "gilbert-elliott", "every"),
    LOSS_BURST("loss-burst", "4", 1, 10_000),
    CORRUPTION("corruption", "0", 0, 1),
    DUPLICATION("duplication", "0", 0, 1),
    REORDER("reorder", "0", 0, 1),
    REORDER_US("reorder-us", "5", 0, 1_000_000),
    /** One link from the first spine is so much slower; 1: none is. */
    SLOW_LINK_SHARE("slow-link-share", "1", 0.001, 1),
    /** The first sender's own link has this share of the rate. */
    SLOW_SENDER_SHARE("slow-sender-share", "1", 0.0001, 1),
    CUT_PLANE("cut-plane", "-1", -1, 7),
    CUT_AT_US("cut-at-us", "0", 0, 1e9),
    RESTORE_AT_US("restore-at-us", "0", 0, 1e9),
    TRANSPORT("transport", "mop", "mop", "roce"),
    PATHS("paths", "8", 1, 255),
    PAYLOAD_BYTES("payload-bytes", "4096", 256, 8_192),
    WINDOW_PACKETS("window-packets", "16384", 1_024, 16_384),
    CONGESTION("congestion", "aimd", "aimd", "aimd-no-hints", "fixed"),
    /** How many hosts are expected to send to one; 0: nobody knows. */
    INCAST_DEGREE("incast-degree", "0", 0, 65_536),
    /** Over all paths; 0: 1.25 times what fills the way to the farthest host and back. */
    FIXED_WINDOW_PACKETS("fixed-window-packets", "0", 0, 65_536),
    /** 0: as for the fixed window. */
    INITIAL_WINDOW_PACKETS("initial-window-packets", "0", 0, 65_536),
    TURN_US("turn-us", "1", 0, 1_000),
    WORKLOAD(
            "workload",
            "pair",
            "pair",
            "permutation",
            "incast",
            "outcast",
            "all-to-all",
            "ring-all-reduce",
            "halving-doubling",
            "storage"),
    MESSAGE_BYTES("message-bytes", "1048576", 1, 1L << 31),
    MESSAGES("messages", "1", 1, 10_000_000),
    DEPTH("depth", "1", 1, 1_024),
    WARM_UP_US("warm-up-us", "100", 1, 1e9),
    /** From the end of the warm-up; what is not done then is not done. */
    LIMIT_US("limit-us", "1000000", 1, 1e9);

    private final String key;
    private final String standard;
    private final double least;
    private final double most;
    /** Words it may be, with a blank around each; empty for a number. */
    private final String words;

    Parameter(String key, String standard, double least, double most) {
        this.key = key;
        this.standard = standard;
        this.least = least;
        this.most = most;
        this.words = "";
    }

    Parameter(String key, String standard, String... words) {
        this.key = key;
        this.standard = standard;
        this.least = 0;
        this.most = 0;
        this.words = " " + String.join(" ", words) + " ";
    }

    public String key() {
        return key;
    }

    String standard() {
        return standard;
    }

    static @Nullable Parameter of(String key) {
        for (Parameter parameter : values()) {
            if (parameter.key.equals(key)) {
                return parameter;
            }
        }
        return null;
    }

    /** Why a value cannot be, or null if it can. */
    @Nullable
    String problemWith(String value) {
        if (!words.isEmpty()) {
            return words.contains(" " + value + " ")
                    ? null
                    : key + " is one of " + words.strip().replace(" ", ", ") + ", not " + value;
        }
        try {
            double number = Double.parseDouble(value);
            return number >= least && number <= most
                    ? null
                    : key + " is " + Text.number(least) + " to " + Text.number(most) + ", not " + value;
        } catch (NumberFormatException e) {
            return key + " is a number, not " + value;
        }
    }
}
