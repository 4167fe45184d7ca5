// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.stat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.metaroce.counters.ConnectionCounter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * What a connection did between two readings, and in all.
 *
 * @param before the same as {@code now} for a connection that began in between
 */
record ConnectionRow(String node, Snapshot.Sample before, Snapshot.Sample now, long elapsedNs) {
    static final String HEADER = String.format(
            Locale.ROOT,
            "%-16s %-10s %-24s %9s %9s %9s %7s %9s %7s %9s %9s",
            "NODE",
            "CONNECTION",
            "PEER",
            "TX[Gb/s]",
            "RX[Gb/s]",
            "RETRANS/s",
            "LOST[%]",
            "TIMEOUT/s",
            "CE[%]",
            "RTT[us]",
            "RETRANS");

    private static final double BITS = 8;

    String text() {
        return String.format(
                Locale.ROOT,
                "%-16s %08x   %-24s %9.3f %9.3f %9.1f %7.3f %9.1f %7.2f %9.1f %9d",
                node,
                now.connectionId(),
                now.peer(),
                gigabits(ConnectionCounter.TX_BYTES),
                gigabits(ConnectionCounter.RX_BYTES),
                rate(retransmitted()),
                lostPercent(),
                rate(difference(ConnectionCounter.ACK_TIMEOUTS)),
                markedPercent(),
                now.roundTripNs() / 1e3,
                now.retransmitted());
    }

    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("node", node)
                .put("connection", String.format(Locale.ROOT, "%08x", now.connectionId()))
                .put("peer", now.peer())
                .put("tx_bits_per_second", BITS * rate(difference(ConnectionCounter.TX_BYTES)))
                .put("rx_bits_per_second", BITS * rate(difference(ConnectionCounter.RX_BYTES)))
                .put("retransmits_per_second", rate(retransmitted()))
                .put("timeouts_per_second", rate(difference(ConnectionCounter.ACK_TIMEOUTS)))
                .put("rtt_ns", now.roundTripNs());
        ObjectNode counters = json.putObject("counters");
        for (ConnectionCounter counter : ConnectionCounter.values()) {
            String label = counter.labelValue().isEmpty() ? "" : "{" + counter.labelValue() + "}";
            counters.put(counter.metricName() + label, now.get(counter));
        }
        return json;
    }

    /** What {@code --top} sorts by; the total decides where nothing happened just now. */
    double key(StatColumn column) {
        return switch (column) {
            case RETRANSMITS -> rate(retransmitted()) + now.retransmitted() * 1e-9;
            case TIMEOUTS ->
                rate(difference(ConnectionCounter.ACK_TIMEOUTS)) + now.get(ConnectionCounter.ACK_TIMEOUTS) * 1e-9;
            case DUPLICATES ->
                rate(difference(ConnectionCounter.RX_DUPLICATES)) + now.get(ConnectionCounter.RX_DUPLICATES) * 1e-9;
            case TX -> rate(difference(ConnectionCounter.TX_BYTES)) + now.get(ConnectionCounter.TX_BYTES) * 1e-18;
            case RX -> rate(difference(ConnectionCounter.RX_BYTES)) + now.get(ConnectionCounter.RX_BYTES) * 1e-18;
            case MARKS ->
                rate(difference(ConnectionCounter.RX_CE_MARKED)) + now.get(ConnectionCounter.RX_CE_MARKED) * 1e-9;
            case RTT -> now.roundTripNs();
        };
    }

    private long retransmitted() {
        return now.retransmitted() - before.retransmitted();
    }

    private long difference(ConnectionCounter counter) {
        return now.get(counter) - before.get(counter);
    }

    private double rate(long count) {
        return elapsedNs <= 0 ? 0 : count * (double) TimeUnit.SECONDS.toNanos(1) / elapsedNs;
    }

    private double gigabits(ConnectionCounter counter) {
        return BITS * rate(difference(counter)) / 1e9;
    }

    private double lostPercent() {
        long sent = difference(ConnectionCounter.TX_PACKETS);
        return sent == 0 ? 0 : 100.0 * retransmitted() / sent;
    }

    private double markedPercent() {
        long received = difference(ConnectionCounter.RX_PACKETS);
        return received == 0 ? 0 : 100.0 * difference(ConnectionCounter.RX_CE_MARKED) / received;
    }
}
