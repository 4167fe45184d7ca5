// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wrap;

/**
 * What faults did. Each packet counts once in OFFERED, and once in each row that happened to it; rows about data count the
 * packets that ask for a retransmission when they do not arrive.
 */
public enum FaultCounter {
    OFFERED("offered_packets", "Packets that passed under a plan that could touch them."),
    LOST("lost_packets", "Packets dropped by chance."),
    LOST_DATA("lost_data_packets", "Packets dropped by chance that carried data; contained in lost."),
    PATH_KILLED("path_killed_packets", "Packets dropped because their path was killed."),
    PATH_KILLED_DATA("path_killed_data_packets", "Data packets dropped because their path was killed; contained."),
    TOO_LONG("too_long_packets", "Packets dropped because they were longer than the plan's MTU."),
    TOO_LONG_DATA("too_long_data_packets", "Data packets longer than the plan's MTU; contained in too long."),
    DUPLICATED("duplicated_packets", "Packets that went twice."),
    REORDERED("reordered_packets", "Packets held back until later ones had passed."),
    CORRUPTED("corrupted_packets", "Packets with a bit turned over."),
    CORRUPTED_DATA("corrupted_data_packets", "Data packets with a bit turned over; contained in corrupted."),
    DELAYED("delayed_packets", "Packets that were made late."),
    STORE_FULL("store_full_packets", "Packets spared a duplicate, a delay or a detour because the store was full.");

    private final String metricName;
    private final String help;

    FaultCounter(String metricName, String help) {
        this.metricName = metricName;
        this.help = help;
    }

    /** Name inside the {@code metaroce_fault_} family, without the {@code _total} suffix. */
    public String metricName() {
        return metricName;
    }

    /** One sentence: what is counted. */
    public String help() {
        return help;
    }
}
