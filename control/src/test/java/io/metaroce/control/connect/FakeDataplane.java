// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.ConnectionCounters;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lanes that do as told at once and remember it; thread-safe, so that the threaded tests can use it too. */
final class FakeDataplane implements Dataplane {
    final Map<Integer, ConnectionAttributes> connections = new HashMap<>();
    final Map<Integer, ConnectionCounters> counters = new HashMap<>();
    final Set<String> streams = new HashSet<>();
    private int usablePlanes = 1;
    private long planesSequence;
    final Map<Integer, Integer> peerPlanes = new HashMap<>();
    private final Queue<Consumer<DataplaneListener>> events = new ArrayDeque<>();
    private final List<PlaneOffer> planes;
    /** Reused, so that many cycles measure the control channel and not this fake. */
    private final Queue<ConnectionCounters> spare = new ArrayDeque<>();

    @Nullable
    String refusal;

    FakeDataplane(PlaneOffer... planes) {
        this.planes = List.of(planes);
    }

    @Override
    public int laneCount() {
        return 1;
    }

    @Override
    public List<PlaneOffer> planes(int lane) {
        return planes;
    }

    @Override
    public synchronized ConnectionCounters addConnection(ConnectionAttributes connection) throws DataplaneException {
        if (refusal != null) {
            throw new DataplaneException(refusal);
        }
        if (connections.putIfAbsent(connection.localId(), connection) != null) {
            throw new DataplaneException("id taken");
        }
        ConnectionCounters itsCounters = spare.isEmpty() ? ConnectionCounters.inProcess(1) : spare.remove();
        counters.put(connection.localId(), itsCounters);
        events.add(listener ->
                listener.onReady(connection.localId(), connection.limits().payloadBytesMax()));
        return itsCounters;
    }

    @Override
    public synchronized void closeConnection(int localId) {
        if (connections.remove(localId) != null) {
            streams.removeIf(stream -> stream.startsWith(localId + "/"));
            spare.add(counters.remove(localId));
            events.add(listener -> listener.onConnectionFinished(localId));
        }
    }

    /** The lane finds out by itself. */
    synchronized void lose(int localId, String meaning) {
        events.add(listener -> listener.onConnectionLost(localId, meaning));
    }

    synchronized void planeLink(int plane, boolean isUp) {
        events.add(listener -> listener.onPlaneLink(plane, isUp));
        usablePlanes = isUp ? usablePlanes | 1 << plane : usablePlanes & ~(1 << plane);
        planesSequence++;
        long sequence = planesSequence;
        int usable = usablePlanes;
        for (int localId : connections.keySet()) {
            events.add(listener -> listener.onPlanesAnnounced(localId, sequence, usable));
        }
    }

    @Override
    public synchronized void openStream(int localId, int streamId, QueueSpec queues) throws DataplaneException {
        if (!connections.containsKey(localId) || !streams.add(localId + "/" + streamId)) {
            throw new DataplaneException("stream refused");
        }
    }

    @Override
    public synchronized void closeStream(int localId, int streamId) {
        if (streams.remove(localId + "/" + streamId)) {
            events.add(listener -> listener.onStreamClosed(localId, streamId));
        }
    }

    @Override
    public synchronized void onPeerPlanes(int localId, long sequence, int usable) {
        peerPlanes.put(localId, usable);
    }

    synchronized void receivePackets(int localId, long packets) {
        ConnectionCounters itsCounters = counters.get(localId);
        if (itsCounters != null) {
            itsCounters.connection().add(ConnectionCounter.RX_PACKETS.ordinal(), packets);
        }
    }

    synchronized long packetsReceived(int localId) {
        ConnectionCounters itsCounters = counters.get(localId);
        return itsCounters == null ? -1 : itsCounters.get(ConnectionCounter.RX_PACKETS);
    }

    @Override
    public int pollEvents(DataplaneListener listener) {
        List<Consumer<DataplaneListener>> taken;
        synchronized (this) {
            taken = new ArrayList<>(events);
            events.clear();
        }
        taken.forEach(event -> event.accept(listener));
        return taken.size();
    }
}
