// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import io.metaroce.link.LinkView;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Int2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/** The directions of all connections; a bounded number of them, so that no capture makes memory grow. */
final class FlowTable {
    /** Directions that are followed; about 150 KiB each. */
    static final int FLOWS_MAX = 1024;
    /** Paths that are followed, of all directions; about 40 KiB each. */
    static final int PATHS_MAX = 8192;

    private final Int2ObjectHashMap<Flow> byId = new Int2ObjectHashMap<>();
    private final List<Flow> inOrder = new ArrayList<>();
    private int paths;
    private long unfollowed;

    /** The flow toward a connection id, made if need be; null when there are too many. */
    @Nullable
    Flow flow(int connectionId, LinkView link) {
        Flow flow = byId.get(connectionId);
        if (flow != null) {
            return flow;
        }
        if (inOrder.size() == FLOWS_MAX) {
            unfollowed++;
            return null;
        }
        Flow added = new Flow(
                connectionId, link.sourceHigh(), link.sourceLow(), link.destinationHigh(), link.destinationLow());
        byId.put(connectionId, added);
        inOrder.add(added);
        return added;
    }

    /** A path of a flow, made if need be; null when there are too many. */
    @Nullable
    PathTrace path(Flow flow, int pathId) {
        PathTrace path = flow.path(pathId);
        if (path != null) {
            return path;
        }
        if (paths == PATHS_MAX) {
            unfollowed++;
            return null;
        }
        paths++;
        return flow.add(pathId);
    }

    /** Finds which flow an ACK speaks of, by the timestamp it echoes, and pairs the two. */
    @Nullable
    Flow acknowledged(Flow carrier, LinkView link, int pathId, int echo) {
        if (carrier.peer != null) {
            return carrier.peer;
        }
        for (Flow candidate : inOrder) {
            PathTrace path = candidate.path(pathId);
            boolean isOpposite = candidate.isBetween(
                    link.destinationHigh(), link.destinationLow(), link.sourceHigh(), link.sourceLow());
            if (candidate.peer == null && isOpposite && path != null && path.sentNs(echo) >= 0) {
                candidate.peer = carrier;
                carrier.peer = candidate;
                return candidate;
            }
        }
        return null;
    }

    List<Flow> flows() {
        return inOrder;
    }

    /** Packets whose direction or path was one too many. */
    long unfollowed() {
        return unfollowed;
    }
}
