// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.metaroce.control.daemon.Node;
import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.ConnectionCounters;
import io.metaroce.wrap.FaultCounter;

/**
 * What one side's transport and faults counted; cumulative until subtracted.
 *
 * @param retransmissions packets sent again, for whatever reason
 * @param timeouts retransmission timeouts that expired
 * @param duplicates packets that arrived although their content had arrived before
 * @param lostByFault data packets that the faults of this side kept from arriving as sent
 * @param offeredToFaults packets that passed faults which could touch them
 */
record LinkStatistics(long retransmissions, long timeouts, long duplicates, long lostByFault, long offeredToFaults) {
    static final LinkStatistics NONE = new LinkStatistics(0, 0, 0, 0, 0);

    private static final ConnectionCounter[] SENT_AGAIN = {
        ConnectionCounter.TX_RETRANSMITTED_SACK,
        ConnectionCounter.TX_RETRANSMITTED_PROBE,
        ConnectionCounter.TX_RETRANSMITTED_MOVED
    };

    /** Reads what one connection of this process has counted; the faults are those of the whole process. */
    static LinkStatistics of(Node node, ConnectionCounters counters) {
        long sentAgain = 0;
        for (ConnectionCounter counter : SENT_AGAIN) {
            sentAgain += counters.get(counter);
        }
        long lost = node.count(FaultCounter.LOST_DATA)
                + node.count(FaultCounter.TOO_LONG_DATA)
                + node.count(FaultCounter.PATH_KILLED_DATA)
                + node.count(FaultCounter.CORRUPTED_DATA);
        return new LinkStatistics(
                sentAgain,
                counters.get(ConnectionCounter.ACK_TIMEOUTS),
                counters.get(ConnectionCounter.RX_DUPLICATES),
                lost,
                node.count(FaultCounter.OFFERED));
    }

    LinkStatistics plus(LinkStatistics other) {
        return new LinkStatistics(
                retransmissions + other.retransmissions,
                timeouts + other.timeouts,
                duplicates + other.duplicates,
                lostByFault + other.lostByFault,
                offeredToFaults + other.offeredToFaults);
    }

    LinkStatistics minus(LinkStatistics earlier) {
        return new LinkStatistics(
                retransmissions - earlier.retransmissions,
                timeouts - earlier.timeouts,
                duplicates - earlier.duplicates,
                lostByFault - earlier.lostByFault,
                offeredToFaults - earlier.offeredToFaults);
    }

    ObjectNode toJson() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("retransmissions", retransmissions)
                .put("timeouts", timeouts)
                .put("duplicates", duplicates)
                .put("lost_by_fault", lostByFault)
                .put("offered_to_faults", offeredToFaults);
    }

    static LinkStatistics fromJson(JsonNode json) {
        return new LinkStatistics(
                json.path("retransmissions").asLong(),
                json.path("timeouts").asLong(),
                json.path("duplicates").asLong(),
                json.path("lost_by_fault").asLong(),
                json.path("offered_to_faults").asLong());
    }
}
