// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import io.metaroce.control.config.DaemonConfig.TransportConfig;
import io.metaroce.control.connect.ConnectionAttributes;
import io.metaroce.control.connect.Dataplane;
import io.metaroce.control.connect.DataplaneException;
import io.metaroce.control.connect.DataplaneListener;
import io.metaroce.control.connect.PlaneOffer;
import io.metaroce.control.connect.QueueSpec;
import io.metaroce.control.metrics.CounterTotals;
import io.metaroce.counters.ConnectionCounters;
import io.metaroce.lane.CongestionChoice;
import io.metaroce.lane.ConnectionSpec;
import io.metaroce.lane.Registration;
import io.metaroce.lane.StreamSpec;
import io.metaroce.port.IpAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The lanes as the control channel sees them. Control thread only. */
final class LaneDataplane implements Dataplane {
    private static final int ACKNOWLEDGE_EVERY_PACKETS = 16;
    private static final long FIRST_WINDOW_BYTES = 64 << 10;

    private record Placed(int lane, ConnectionCounters counters) {}

    private final List<LaneLink> lanes;
    private final TransportConfig config;
    private final ConnectionSpec.Sabotage sabotage;
    private final CounterTotals totals;
    private final CounterStore store;
    private final SecureRandom random = new SecureRandom();
    private final Map<Integer, Placed> connections = new HashMap<>();

    LaneDataplane(
            List<LaneLink> lanes,
            TransportConfig config,
            ConnectionSpec.Sabotage sabotage,
            CounterTotals totals,
            CounterStore store) {
        this.lanes = List.copyOf(lanes);
        this.config = config;
        this.sabotage = sabotage;
        this.totals = totals;
        this.store = store;
    }

    @Override
    public int laneCount() {
        return lanes.size();
    }

    @Override
    public List<PlaneOffer> planes(int lane) {
        return lanes.get(lane).planes();
    }

    @Override
    public ConnectionCounters addConnection(ConnectionAttributes attributes) throws DataplaneException {
        LaneLink lane = lanes.get(attributes.lane());
        ConnectionCounters counters = store.claim(
                attributes.localId(),
                attributes.planes().get(0).address(),
                attributes.limits().paths());
        ConnectionSpec spec = spec(attributes, lane);
        try {
            lane.carryOut((control, correlationId) -> control.addConnection(correlationId, spec, counters));
        } catch (IllegalArgumentException e) {
            store.release(counters);
            throw new DataplaneException(String.valueOf(e.getMessage()));
        } catch (DataplaneException e) {
            store.release(counters);
            throw e;
        }
        lane.addConnection(attributes.localId());
        connections.put(attributes.localId(), new Placed(attributes.lane(), counters));
        totals.add(counters);
        return counters;
    }

    private ConnectionSpec spec(ConnectionAttributes attributes, LaneLink lane) throws DataplaneException {
        List<ConnectionSpec.Plane> planes = new ArrayList<>();
        for (PlaneOffer offer : attributes.planes()) {
            planes.add(plane(offer, lane.scope(planes.size())));
        }
        long windowBytes = config.fixedCongestion()
                ? config.fixedWindowBytes() * attributes.limits().paths()
                : FIRST_WINDOW_BYTES;
        return new ConnectionSpec(
                attributes.localId(),
                attributes.remoteId(),
                planes,
                attributes.limits().paths(),
                attributes.limits().payloadBytesMax(),
                attributes.limits().messageWindow(),
                attributes.limits().csnWindowPackets(),
                attributes.limits().streamsMax(),
                attributes.inFlightBytesMax(),
                new ConnectionSpec.Timing(
                        config.rtoFloorNs(),
                        config.connectionTimeoutNs(),
                        config.connectionTimeoutNs(),
                        ACKNOWLEDGE_EVERY_PACKETS,
                        windowBytes),
                config.fixedCongestion() ? CongestionChoice.FIXED_WINDOW : CongestionChoice.ECN_AIMD,
                attributes.incastDegree(),
                random.nextLong(),
                sabotage);
    }

    private static ConnectionSpec.Plane plane(PlaneOffer offer, int scope) throws DataplaneException {
        try {
            // A literal: the codec let nothing else in, so nobody is asked for a name.
            InetAddress address = InetAddress.getByName(offer.address());
            byte[] bytes = address.getAddress();
            return new ConnectionSpec.Plane(
                    IpAddress.high(bytes),
                    IpAddress.low(bytes),
                    address.isLinkLocalAddress() ? scope : 0,
                    offer.udpPort());
        } catch (UnknownHostException e) {
            throw new DataplaneException("plane address " + offer.address() + " is not an address");
        }
    }

    @Override
    public void closeConnection(int localId) {
        Placed placed = connections.get(localId);
        if (placed != null) {
            lanes.get(placed.lane())
                    .carryOutQuietly((control, correlationId) -> control.closeConnection(correlationId, localId));
        }
    }

    @Override
    public void openStream(int localId, int streamId, QueueSpec queues) throws DataplaneException {
        Placed placed = connections.get(localId);
        if (placed == null) {
            throw new DataplaneException("the connection has ended");
        }
        StreamSpec stream = new StreamSpec(
                streamId,
                queues.queuePairNumber(),
                queues.protectionDomain(),
                queues.sendRing(),
                queues.receiveRing(),
                queues.sendCompletions(),
                queues.receiveCompletions());
        lanes.get(placed.lane())
                .carryOut((control, correlationId) -> control.openStream(correlationId, localId, stream));
    }

    @Override
    public void closeStream(int localId, int streamId) {
        Placed placed = connections.get(localId);
        if (placed != null) {
            lanes.get(placed.lane())
                    .carryOutQuietly((control, correlationId) -> control.closeStream(correlationId, localId, streamId));
        }
    }

    @Override
    public void onPeerPlanes(int localId, long sequence, int usable) {
        Placed placed = connections.get(localId);
        if (placed != null) {
            lanes.get(placed.lane())
                    .carryOutQuietly((control, correlationId) ->
                            control.setPeerPlanes(correlationId, localId, (int) sequence, usable));
        }
    }

    /** Makes a registration usable by every lane, or by none. */
    void installMemory(Registration registration) throws DataplaneException {
        int done = 0;
        try {
            for (LaneLink lane : lanes) {
                lane.carryOut((control, correlationId) -> control.installMemory(correlationId, registration));
                done++;
            }
        } catch (DataplaneException e) {
            for (LaneLink lane : lanes.subList(0, done)) {
                lane.carryOutQuietly(
                        (control, correlationId) -> control.removeMemory(correlationId, registration.key()));
            }
            throw e;
        }
    }

    /**
     * Returns when no lane touches the memory any more.
     *
     * @throws DataplaneException if a lane does not say so: the memory must then stay mapped
     */
    void removeMemory(int key) throws DataplaneException {
        for (LaneLink lane : lanes) {
            lane.takeAway((control, correlationId) -> control.removeMemory(correlationId, key));
        }
    }

    @Override
    public int pollEvents(DataplaneListener listener) {
        int count = 0;
        RetiringListener retiring = new RetiringListener(listener, this::retire);
        for (LaneLink lane : lanes) {
            count += lane.deliver(retiring);
        }
        return count;
    }

    private void retire(int localId) {
        Placed placed = connections.remove(localId);
        if (placed != null) {
            totals.retire(placed.counters());
            store.release(placed.counters());
        }
    }
}
