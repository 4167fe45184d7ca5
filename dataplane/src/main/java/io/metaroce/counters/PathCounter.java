// SPDX-License-Identifier: Apache-2.0
package io.metaroce.counters;

import static io.metaroce.counters.CounterKind.COUNTER;
import static io.metaroce.counters.CounterKind.GAUGE;
import static io.metaroce.counters.CounterUnit.BYTES;
import static io.metaroce.counters.CounterUnit.COUNT;
import static io.metaroce.counters.CounterUnit.NANOSECONDS;
import static io.metaroce.counters.CounterUnit.PACKETS;

/**
 * The live picture of one path; written by its connection alone. The rows of all paths of a connection stand in one block,
 * path after path: the id of a row is {@link #of}.
 */
public enum PathCounter implements CounterRow {
    STATE("path_state", GAUGE, COUNT, "State of the path, by position in PathState."),
    PLANE("path_plane", GAUGE, COUNT, "Plane the path runs through."),
    EPOCH("path_epoch", GAUGE, COUNT, "Epoch of the path: how often its way was changed, modulo 256."),
    SOURCE_PORT_INDEX("path_source_port_index", GAUGE, COUNT, "Entropy: index into the port's pool of source ports."),
    SRTT_NS("path_rtt_seconds", GAUGE, NANOSECONDS, "Smoothed round-trip time; 0 before the first sample."),
    RTT_VARIATION_NS("path_rtt_variation_seconds", GAUGE, NANOSECONDS, "Smoothed variation of the round-trip time."),
    RTT_MIN_NS("path_rtt_min_seconds", GAUGE, NANOSECONDS, "Smallest round-trip time of the epoch: the base RTT."),
    WINDOW_BYTES("path_window_bytes", GAUGE, BYTES, "Congestion window."),
    IN_FLIGHT_BYTES("path_inflight_bytes", GAUGE, BYTES, "Bytes sent and not yet acknowledged or declared lost."),
    TX_PACKETS("path_tx_packets", COUNTER, PACKETS, "DATA packets sent, retransmissions included."),
    TX_BYTES("path_tx_bytes", COUNTER, BYTES, "Bytes of the DATA packets sent."),
    TX_RETRANSMITTED("path_tx_retransmitted_packets", COUNTER, PACKETS, "DATA packets sent again on this path."),
    TX_CE_MARKED("path_tx_ecn_marked_packets", COUNTER, PACKETS, "Packets of ours that the peer saw marked."),
    ACK_TIMEOUTS("path_ack_timeouts", COUNTER, COUNT, "Retransmission timeouts that expired."),
    TX_PROBES("path_tx_probes", COUNTER, PACKETS, "PROBE packets sent."),
    RX_PACKETS("path_rx_packets", COUNTER, PACKETS, "DATA packets taken."),
    RX_CE_MARKED("path_rx_ecn_marked_packets", COUNTER, PACKETS, "Packets of the peer that arrived marked."),
    RX_DUPLICATES("path_rx_duplicate_packets", COUNTER, PACKETS, "DATA whose path sequence had arrived before."),
    TRANSITIONS("path_transitions", COUNTER, COUNT, "Changes of state.");

    private static final PathCounter[] ROWS = values();

    /** A record of strings and enums; the checker would want an annotation of its own on it. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final CounterText text;

    PathCounter(String metricName, CounterKind kind, CounterUnit unit, String help) {
        this.text = new CounterText(metricName, "", "", kind, unit, help);
    }

    /** Rows for each path. */
    public static int count() {
        return ROWS.length;
    }

    /** The id of this row for one path in a block that holds the rows of all paths of a connection. */
    public int of(int pathId) {
        return pathId * ROWS.length + ordinal();
    }

    @Override
    public String metricName() {
        return text.metricName();
    }

    @Override
    public String labelName() {
        return text.labelName();
    }

    @Override
    public String labelValue() {
        return text.labelValue();
    }

    @Override
    public CounterKind kind() {
        return text.kind();
    }

    @Override
    public CounterUnit unit() {
        return text.unit();
    }

    @Override
    public String help() {
        return text.help();
    }
}
