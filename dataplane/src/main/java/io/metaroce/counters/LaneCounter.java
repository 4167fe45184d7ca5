// SPDX-License-Identifier: Apache-2.0
package io.metaroce.counters;

import static io.metaroce.counters.CounterKind.COUNTER;
import static io.metaroce.counters.CounterKind.GAUGE;
import static io.metaroce.counters.CounterKind.MAXIMUM;
import static io.metaroce.counters.CounterUnit.BYTES;
import static io.metaroce.counters.CounterUnit.COUNT;
import static io.metaroce.counters.CounterUnit.NANOSECONDS;
import static io.metaroce.counters.CounterUnit.PACKETS;

/** What a lane counts; written by the lane alone. */
public enum LaneCounter implements CounterRow {
    STATE("lane_state", GAUGE, COUNT, "State of the lane, see LaneState: 0 new, 1 running, 2 stopped, 3 failed."),
    LAST_CYCLE_NS("lane_last_cycle_seconds", GAUGE, NANOSECONDS, "Monotonic time of the last duty cycle."),
    CYCLES("lane_cycles", COUNTER, COUNT, "Duty cycles."),
    CYCLE_MAX_NS(
            "poll_cycle_seconds_max", MAXIMUM, NANOSECONDS, "Longest gap between two duty cycles since the start."),
    STALLS("lane_stalls", COUNTER, COUNT, "Gaps between duty cycles long enough to move all deadlines."),
    STALLED_NS("lane_stalled_seconds", COUNTER, NANOSECONDS, "Time by which deadlines were moved because of stalls."),
    FAILURES("lane_failures", COUNTER, COUNT, "Programming errors that stopped the lane."),

    CONNECTIONS("connections", GAUGE, COUNT, "Connections in the lane's table."),
    MEMORY_REGIONS("memory_regions", GAUGE, COUNT, "Memory registrations installed in the lane."),
    IDS_RELEASED_EARLY(
            "lane_ids_released_early",
            COUNTER,
            COUNT,
            "Used connection ids that left quarantine before their time because it was full."),

    RX_PACKETS("lane_rx_packets", COUNTER, PACKETS, "Packets taken from ports, dropped ones included."),
    RX_BYTES("lane_rx_bytes", COUNTER, BYTES, "Bytes taken from ports, dropped ones included."),
    RX_BURSTS("lane_rx_bursts", COUNTER, COUNT, "Receive calls that brought packets."),
    TX_PACKETS("lane_tx_packets", COUNTER, PACKETS, "Packets that ports accepted."),
    TX_BYTES("lane_tx_bytes", COUNTER, BYTES, "Bytes that ports accepted."),
    TX_BURSTS("lane_tx_bursts", COUNTER, COUNT, "Transmit calls that took packets."),
    TX_DEFERRED(
            "lane_tx_deferred_packets",
            COUNTER,
            PACKETS,
            "Packets a port had no room for, counted at every try; they are offered again."),
    TX_NO_BUFFER("lane_tx_no_buffer", COUNTER, COUNT, "Times a port granted no buffer to write a packet into."),
    TX_DROPPED_LINK_DOWN(
            "lane_tx_dropped_packets",
            "reason",
            "link_down",
            COUNTER,
            PACKETS,
            "Packets for a plane whose link is down; the transport sees them as lost."),
    TX_DROPPED_NO_PLANE(
            "lane_tx_dropped_packets",
            "reason",
            "no_plane",
            COUNTER,
            PACKETS,
            "Packets for a plane that the lane does not have: a mistake in the connection's settings."),

    TX_DROPPED_LANE_ENDED(
            "lane_tx_dropped_packets",
            "reason",
            "lane_ended",
            COUNTER,
            PACKETS,
            "Packets that no port had taken when the lane ended."),

    TIMERS_FIRED("lane_timers_fired", COUNTER, COUNT, "Connection deadlines that passed."),
    WORK_REQUESTS("lane_work_requests", COUNTER, COUNT, "Work requests taken from rings and completions written."),
    COMMANDS("lane_commands", COUNTER, COUNT, "Commands carried out."),
    COMMANDS_REFUSED("lane_commands_refused", COUNTER, COUNT, "Commands answered with a refusal."),
    EVENTS("lane_events", COUNTER, COUNT, "Events published."),
    EVENTS_DEFERRED(
            "ring_full", "ring", "lane_events", COUNTER, COUNT, "Events that found their ring full and waited."),
    EVENTS_LOST("lane_events_lost", COUNTER, COUNT, "Advisory events dropped because nobody read them in time."),

    RX_DROPPED_TOO_SHORT(DropReason.TOO_SHORT),
    RX_DROPPED_UNKNOWN_VERSION(DropReason.UNKNOWN_VERSION),
    RX_DROPPED_UNKNOWN_TYPE(DropReason.UNKNOWN_TYPE),
    RX_DROPPED_BAD_CHECKSUM(DropReason.BAD_CHECKSUM),
    RX_DROPPED_MERGED(DropReason.MERGED),
    RX_DROPPED_UNKNOWN_OPCODE(DropReason.UNKNOWN_OPCODE),
    RX_DROPPED_BAD_LENGTH(DropReason.BAD_LENGTH),
    RX_DROPPED_BAD_FIELD(DropReason.BAD_FIELD),
    RX_DROPPED_UNKNOWN_CONNECTION(DropReason.UNKNOWN_CONNECTION),
    RX_DROPPED_CLOSED_CONNECTION(DropReason.CLOSED_CONNECTION);

    private static final LaneCounter[] ROWS = values();

    /** A record of strings and enums; the checker would want an annotation of its own on it. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final CounterText text;

    LaneCounter(String metricName, CounterKind kind, CounterUnit unit, String help) {
        this.text = new CounterText(metricName, "", "", kind, unit, help);
    }

    LaneCounter(String name, String labelName, String labelValue, CounterKind kind, CounterUnit unit, String help) {
        this.text = new CounterText(name, labelName, labelValue, kind, unit, help);
    }

    LaneCounter(DropReason reason) {
        this.text = CounterText.ofDrop(reason);
    }

    /** Rows of the table, which is the length of a lane's block. */
    public static int count() {
        return ROWS.length;
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
