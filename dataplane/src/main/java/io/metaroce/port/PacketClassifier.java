// SPDX-License-Identifier: Apache-2.0
package io.metaroce.port;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Tells a decorator of ports what a packet is, so that ports need not know MOP. The bytes are as the port's framing has them and may be anything: a received packet has
 * not been checked by anybody yet. Called on the lane.
 */
public interface PacketClassifier {
    int NO_PATH = -1;

    /** A classifier for traffic that is not MOP: everything is data, nothing belongs to a path. */
    PacketClassifier ALL_DATA = new PacketClassifier() {
        @Override
        public int pathId(UnsafeBuffer packet) {
            return NO_PATH;
        }

        @Override
        public boolean isData(UnsafeBuffer packet) {
            return true;
        }
    };

    /** The path id, 0 to 255, or {@link #NO_PATH} for a packet that belongs to no path or is not ours. */
    int pathId(UnsafeBuffer packet);

    /** Whether the packet is of the sequenced type, so that losing it asks for a retransmission. */
    boolean isData(UnsafeBuffer packet);
}
