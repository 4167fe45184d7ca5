// SPDX-License-Identifier: Apache-2.0
package io.metaroce.counters;

import java.util.Locale;

/**
 * Why a received packet was thrown away. The first group is judged by the parser, the second by the lane, the third by the
 * connection; a dropped packet is counted under exactly one reason.
 */
public enum DropReason {
    TOO_SHORT("Packets shorter than their headers."),
    UNKNOWN_VERSION("Packets of another profile version, or not of this protocol at all."),
    UNKNOWN_TYPE("Packets of a type that is not defined."),
    BAD_CHECKSUM("Packets whose CRC32C does not match: damaged on the way, or forged."),
    MERGED("Packets that arrived merged into one datagram: switch receive offload (GRO, LRO) off."),
    UNKNOWN_OPCODE("DATA packets of an operation that is not defined."),
    BAD_LENGTH("Packets whose length fields contradict the datagram."),
    BAD_FIELD("Packets with a field out of its range."),

    UNKNOWN_CONNECTION("Packets for a connection id that does not exist here."),
    CLOSED_CONNECTION("Late packets for a connection id in quarantine after its end; a few after a close are normal."),

    WRONG_SOURCE_ADDRESS("Packets for a live connection from an address that was not negotiated: an attack or NAT."),
    WRONG_PATH("Packets that name a path that does not exist, or came through another plane than their path's."),
    OLD_EPOCH("Packets of a path epoch that is no longer kept."),
    PATH_WINDOW("DATA beyond the window of its path."),
    CONNECTION_WINDOW("DATA beyond the connection's window."),
    MESSAGE_WINDOW("DATA beyond its stream's message window."),
    UNKNOWN_STREAM("DATA for a stream that is not open here."),
    BAD_ACKNOWLEDGEMENT("ACKs of what was never sent."),
    BAD_MESSAGE("DATA that contradicts an earlier packet of its message.");

    private final String help;
    private final String label = name().toLowerCase(Locale.ROOT);

    DropReason(String help) {
        this.help = help;
    }

    /** The {@code reason} label of the metric. */
    public String label() {
        return label;
    }

    /** One sentence: what a value other than zero means. */
    public String help() {
        return help;
    }
}
