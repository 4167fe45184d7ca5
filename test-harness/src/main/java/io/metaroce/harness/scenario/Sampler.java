// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import io.metaroce.harness.fabric.Endpoint;
import io.metaroce.harness.fabric.EventSource;
import io.metaroce.harness.fabric.Fabric;
import io.metaroce.harness.fabric.Link;
import io.metaroce.harness.fabric.Transports;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.LongArrayList;

/** Looks at flows and at the last link to the receiver four times a round trip; only where flows are few. */
final class Sampler implements EventSource {
    private static final int LOOKS_PER_ROUND_TRIP = 4;
    private static final int LOOKS_MAX = 200_000;

    private final Fabric fabric;
    private final Transports transports;
    private final long intervalPs;
    private final long roundTripPs;
    private final int event;
    private final Link watched;
    private final List<Endpoint> senders = new ArrayList<>();
    private final List<Endpoint> receivers = new ArrayList<>();
    final LongArrayList timesPs = new LongArrayList();
    final LongArrayList queuedBytes = new LongArrayList();
    final LongArrayList sentBytes = new LongArrayList();
    final List<double[]> allowed = new ArrayList<>();
    final List<long[]> arrived = new ArrayList<>();

    Sampler(Fabric fabric, Transports transports, long roundTripPs, Link watched) {
        this.fabric = fabric;
        this.transports = transports;
        this.roundTripPs = roundTripPs;
        this.intervalPs = Math.max(1, roundTripPs / LOOKS_PER_ROUND_TRIP);
        this.event = fabric.register(this);
        this.watched = watched;
    }

    void watch(Endpoint sender, Endpoint receiver) {
        senders.add(sender);
        receivers.add(receiver);
    }

    void start() {
        fabric.schedule(event, fabric.nowPs());
    }

    @Override
    public void onEvent(long nowPs) {
        timesPs.addLong(nowPs);
        queuedBytes.addLong(watched.queuedBytes());
        sentBytes.addLong(watched.counters().bytes());
        allowed.add(senders.stream()
                .mapToDouble(sender -> transports.allowedBitsPerSecond(sender, roundTripPs))
                .toArray());
        arrived.add(receivers.stream().mapToLong(transports::arrivedBytes).toArray());
        if (timesPs.size() < LOOKS_MAX) {
            fabric.schedule(event, nowPs + intervalPs);
        }
    }
}
