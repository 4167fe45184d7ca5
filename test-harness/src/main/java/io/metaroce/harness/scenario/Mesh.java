// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import io.metaroce.harness.fabric.Endpoint;
import io.metaroce.harness.fabric.EndpointListener;
import io.metaroce.harness.fabric.Fabric;
import io.metaroce.harness.fabric.Host;
import io.metaroce.harness.fabric.Transports;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One connection for each pair of hosts that talk; messages in flight and what became of them. */
final class Mesh {
    /** Hears of messages between ranks. */
    interface Ranks {
        /** A message posted by {@code from} is acknowledged. */
        void onSent(int from, int to, int tag, long nowNs);

        /** A told message has arrived whole at {@code to}. */
        void onReceived(int from, int to, int tag, long nowNs);
    }

    private final Fabric fabric;
    private final Transports transports;
    private final Ranks ranks;
    private final Map<Long, End> ends = new LinkedHashMap<>();
    private final List<String> failures = new ArrayList<>();

    /** One host's end toward another. */
    private final class End implements EndpointListener {
        private final Host at;
        private final Host peer;
        private final int number;
        private @Nullable Endpoint endpoint;

        End(Host at, Host peer) {
            this.at = at;
            this.peer = peer;
            this.number = at.nextEndpoint();
        }

        @Override
        public void onSent(int tag, long nowNs) {
            ranks.onSent(at.id(), peer.id(), tag, nowNs);
        }

        @Override
        public void onReceived(int tag, long nowNs) {
            ranks.onReceived(peer.id(), at.id(), tag, nowNs);
        }

        @Override
        public void onFailed(String why, long nowNs) {
            failures.add("host " + at.id() + " to " + peer.id() + ": " + why);
        }

        Endpoint endpoint() {
            if (endpoint == null) {
                throw new IllegalStateException("an end is connected before it is used");
            }
            return endpoint;
        }
    }

    Mesh(Fabric fabric, Transports transports, Ranks ranks) {
        this.fabric = fabric;
        this.transports = transports;
        this.ranks = ranks;
    }

    /** Connects two hosts, once. */
    void connect(int a, int b) {
        if (ends.containsKey(key(a, b))) {
            return;
        }
        End endA = new End(fabric.hosts().get(a), fabric.hosts().get(b));
        End endB = new End(fabric.hosts().get(b), fabric.hosts().get(a));
        Endpoint[] both = transports.connect(endA.at, endA, endB.at, endB);
        endA.endpoint = both[0];
        endB.endpoint = both[1];
        ends.put(key(a, b), endA);
        ends.put(key(b, a), endB);
    }

    void post(int from, int to, long bytes, int tag, boolean isTold) {
        End end = end(from, to);
        end.endpoint().post(bytes, tag, isTold);
        end.at.wake(end.number);
    }

    Endpoint endpoint(int at, int peer) {
        return end(at, peer).endpoint();
    }

    List<String> failures() {
        return failures;
    }

    private End end(int at, int peer) {
        @Nullable End end = ends.get(key(at, peer));
        if (end == null) {
            throw new IllegalStateException("hosts " + at + " and " + peer + " are not connected");
        }
        return end;
    }

    private static long key(int at, int peer) {
        return (long) at << 32 | peer;
    }
}
