// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

/** The kinds of capture file. */
public enum CaptureFormat {
    /** Nothing read so far, or bytes that are no capture. */
    UNKNOWN("no capture"),
    /** pcap with microseconds, magic a1b2c3d4. */
    PCAP_MICRO("pcap, microseconds"),
    /** pcap with nanoseconds, magic a1b23c4d. */
    PCAP_NANO("pcap, nanoseconds"),
    /** pcapng: blocks, several interfaces, options. */
    PCAPNG("pcapng");

    private final String description;

    CaptureFormat(String description) {
        this.description = description;
    }

    /** A few words for people. */
    public String description() {
        return description;
    }
}
