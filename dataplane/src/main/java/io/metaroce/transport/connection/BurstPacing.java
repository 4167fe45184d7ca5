// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.transport.congestion.ConnectionControl;

/** Which planes may begin a burst now, and when the first one that may not is to be asked again (MOP-CC-18). */
final class BurstPacing {
    private final ConnectionControl congestion;
    private long nextBurstNs = PathSender.NEVER;

    BurstPacing(ConnectionControl congestion) {
        this.congestion = congestion;
    }

    /** Another packet is asked for: whatever was held back is looked at anew. */
    void onPoll() {
        nextBurstNs = PathSender.NEVER;
    }

    boolean isHeld(int plane, long nowNs) {
        long startNs = congestion.nextBurstNs(plane);
        if (startNs <= nowNs) {
            return false;
        }
        nextBurstNs = Math.min(nextBurstNs, startNs);
        return true;
    }

    /** When a burst that is held back may start; {@link PathSender#NEVER} if none is. */
    long nextBurstNs() {
        return nextBurstNs;
    }
}
