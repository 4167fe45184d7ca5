// SPDX-License-Identifier: Apache-2.0
package io.metaroce.counters;

import static io.metaroce.counters.CounterKind.COUNTER;
import static io.metaroce.counters.CounterKind.GAUGE;
import static io.metaroce.counters.CounterUnit.BYTES;
import static io.metaroce.counters.CounterUnit.COUNT;
import static io.metaroce.counters.CounterUnit.PACKETS;

/** What a connection counts over all its paths and streams; written by the connection alone. */
public enum ConnectionCounter implements CounterRow {
    TX_PACKETS("tx_packets", COUNTER, PACKETS, "Packets sent, of every type, retransmissions included."),
    TX_BYTES("tx_bytes", COUNTER, BYTES, "Bytes of the packets sent, headers and checksum included."),
    TX_PAYLOAD_BYTES("tx_payload_bytes", COUNTER, BYTES, "Payload bytes sent for the first time."),
    TX_RETRANSMITTED_SACK("tx_retransmitted_packets", "trigger", "sack", "Losses proven by an ACK, sent again."),
    TX_RETRANSMITTED_PROBE("tx_retransmitted_packets", "trigger", "probe", "Lost tails proven by a PROBE, sent again."),
    TX_RETRANSMITTED_MOVED("tx_retransmitted_packets", "trigger", "moved", "Contents moved to another path."),
    TX_RETRANSMITTED_BYTES("tx_retransmitted_bytes", COUNTER, BYTES, "Bytes of packets sent again."),
    SPURIOUS_RETRANSMITS("spurious_retransmits", COUNTER, PACKETS, "Retransmissions the peer proved needless."),
    ACK_TIMEOUTS("ack_timeouts", COUNTER, COUNT, "Retransmission timeouts that expired."),
    TX_ACKS("tx_acks", COUNTER, PACKETS, "ACK packets sent."),
    RX_ACKS("rx_acks", COUNTER, PACKETS, "ACK packets taken."),
    RX_STALE_ACKS("rx_stale_acks", COUNTER, PACKETS, "ACK packets of an earlier epoch or older than one already seen."),
    TX_PROBES("tx_probes", COUNTER, PACKETS, "PROBE packets sent."),
    RX_PROBES("rx_probes", COUNTER, PACKETS, "PROBE packets taken."),
    TX_CREDITS("tx_credits", COUNTER, PACKETS, "CREDIT packets sent."),
    RX_CREDITS("rx_credits", COUNTER, PACKETS, "CREDIT packets taken."),
    TX_CREDIT_REQUESTS("tx_credit_requests", COUNTER, PACKETS, "Times a sender without a posted receive asked."),
    RX_CREDIT_REQUESTS("rx_credit_requests", COUNTER, PACKETS, "Times the peer waited for our posted receives."),

    RX_PACKETS("rx_packets", COUNTER, PACKETS, "Packets taken from the peer, of every type."),
    RX_BYTES("rx_bytes", COUNTER, BYTES, "Bytes of the packets taken, headers and checksum included."),
    RX_PAYLOAD_BYTES("rx_payload_bytes", COUNTER, BYTES, "Payload bytes placed in application memory."),
    RX_DUPLICATES("rx_duplicate_packets", COUNTER, PACKETS, "DATA whose content had arrived before; never placed."),
    RX_PATH_DUPLICATES("rx_path_duplicate_packets", COUNTER, PACKETS, "DATA whose path sequence had arrived before."),
    RX_OUT_OF_ORDER("rx_out_of_order_packets", COUNTER, PACKETS, "DATA beyond a gap of its path; normal under loss."),
    RX_CE_MARKED("rx_ecn_marked_packets", COUNTER, PACKETS, "Packets that arrived with congestion experienced."),
    RX_OLD_EPOCH("rx_old_epoch_packets", COUNTER, PACKETS, "DATA of an epoch long ended, placed unaccounted."),

    ERRORS_ISSUED("errors_issued", COUNTER, COUNT, "Messages of the peer refused with an ERROR."),
    ERRORS_RECEIVED("errors_received", COUNTER, COUNT, "Messages of ours that the peer refused."),
    ACCESS_FAULTS_KEY("access_faults", "reason", "rkey", "Accesses by a key that names no registration."),
    ACCESS_FAULTS_DOMAIN("access_faults", "reason", "pd", "Accesses to another protection domain."),
    ACCESS_FAULTS_PERMISSION("access_faults", "reason", "permission", "Accesses the registration does not permit."),
    ACCESS_FAULTS_RANGE("access_faults", "reason", "range", "Accesses beyond the registration."),
    MESSAGES_SENT("tx_messages", COUNTER, COUNT, "Requests of ours that completed with success."),
    MESSAGES_RECEIVED("rx_messages", COUNTER, COUNT, "Messages of the peer that became whole."),
    COMPLETIONS_SUCCESS("completions", "status", "success", "Completions written with success."),
    COMPLETIONS_ERROR("completions", "status", "error", "Completions written with an error other than a flush."),
    COMPLETIONS_FLUSHED("completions", "status", "flushed", "Completions written as flushed."),
    STREAMS_FAILED("streams_failed", COUNTER, COUNT, "Streams that went to error."),
    PATH_TRANSITIONS("path_state_changes", COUNTER, COUNT, "Changes of state over all paths."),

    RX_DROPPED_WRONG_SOURCE_ADDRESS(DropReason.WRONG_SOURCE_ADDRESS),
    RX_DROPPED_WRONG_PATH(DropReason.WRONG_PATH),
    RX_DROPPED_OLD_EPOCH(DropReason.OLD_EPOCH),
    RX_DROPPED_PATH_WINDOW(DropReason.PATH_WINDOW),
    RX_DROPPED_CONNECTION_WINDOW(DropReason.CONNECTION_WINDOW),
    RX_DROPPED_MESSAGE_WINDOW(DropReason.MESSAGE_WINDOW),
    RX_DROPPED_UNKNOWN_STREAM(DropReason.UNKNOWN_STREAM),
    RX_DROPPED_BAD_ACKNOWLEDGEMENT(DropReason.BAD_ACKNOWLEDGEMENT),
    RX_DROPPED_BAD_MESSAGE(DropReason.BAD_MESSAGE),

    PAYLOAD_BYTES("payload_size_bytes", GAUGE, BYTES, "Payload of a full packet as proven by probes; 0 before."),
    WINDOW_BYTES("window_bytes", GAUGE, BYTES, "Congestion window over all paths."),
    HINT_BYTES("hint_bytes_per_second", GAUGE, BYTES, "Rate that the peer allows us; 0 while it hints none."),
    SHARE_BYTES("share_bytes_per_second", GAUGE, BYTES, "Rate that we allow the peer; 0 while none is told."),
    IN_FLIGHT_BYTES("inflight_bytes", GAUGE, BYTES, "Bytes sent and not yet acknowledged or declared lost."),
    BACKLOG_BYTES("backlog_bytes", GAUGE, BYTES, "Bytes of posted requests that wait to be sent."),
    STREAMS("streams", GAUGE, COUNT, "Open streams.");

    private static final ConnectionCounter[] ROWS = values();

    /** A record of strings and enums; the checker would want an annotation of its own on it. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final CounterText text;

    ConnectionCounter(String metricName, CounterKind kind, CounterUnit unit, String help) {
        this.text = new CounterText(metricName, "", "", kind, unit, help);
    }

    ConnectionCounter(String metricName, String labelName, String labelValue, String help) {
        this.text = new CounterText(metricName, labelName, labelValue, COUNTER, COUNT, help);
    }

    ConnectionCounter(DropReason reason) {
        this.text = CounterText.ofDrop(reason);
    }

    /** Rows of the table, which is the length of a connection's block. */
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
