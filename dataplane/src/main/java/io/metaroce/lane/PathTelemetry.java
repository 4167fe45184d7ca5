// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import io.metaroce.counters.ConnectionCounters;
import io.metaroce.counters.PathCounter;
import io.metaroce.transport.path.PathState;
import java.util.ArrayList;
import java.util.List;

/**
 * One path as it is now, read from the counters without asking the lane; the fields may be a packet apart.
 *
 * @param state one lower-case word: opening, active, congested, suspect, dead, probing or denied
 * @param carriesData whether new data may take this path
 */
public record PathTelemetry(
        int pathId,
        int plane,
        int epoch,
        int sourcePortIndex,
        String state,
        boolean carriesData,
        long srttNs,
        long rttVariationNs,
        long windowBytes,
        long inFlightBytes,
        long txPackets,
        long txBytes,
        long txRetransmittedPackets,
        long txMarkedPackets) {

    private static final PathState[] STATES = PathState.values();

    /** Every state as a word, in the order of the values of {@code PathCounter.STATE}. */
    public static List<String> stateWords() {
        List<String> words = new ArrayList<>();
        for (PathState state : STATES) {
            words.add(Words.of(state));
        }
        return words;
    }

    /** Reads one path's counters; any thread. */
    public static PathTelemetry read(ConnectionCounters counters, int pathId) {
        // Another process' file may hold anything.
        int stateId = (int) Math.floorMod(counters.get(PathCounter.STATE, pathId), (long) STATES.length);
        PathState state = STATES[stateId];
        return new PathTelemetry(
                pathId,
                (int) counters.get(PathCounter.PLANE, pathId),
                (int) counters.get(PathCounter.EPOCH, pathId),
                (int) counters.get(PathCounter.SOURCE_PORT_INDEX, pathId),
                Words.of(state),
                state == PathState.ACTIVE || state == PathState.CONGESTED,
                counters.get(PathCounter.SRTT_NS, pathId),
                counters.get(PathCounter.RTT_VARIATION_NS, pathId),
                counters.get(PathCounter.WINDOW_BYTES, pathId),
                counters.get(PathCounter.IN_FLIGHT_BYTES, pathId),
                counters.get(PathCounter.TX_PACKETS, pathId),
                counters.get(PathCounter.TX_BYTES, pathId),
                counters.get(PathCounter.TX_RETRANSMITTED, pathId),
                counters.get(PathCounter.TX_CE_MARKED, pathId));
    }
}
