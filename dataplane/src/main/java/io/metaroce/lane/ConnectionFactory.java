// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import io.metaroce.counters.ConnectionCounters;
import io.metaroce.memory.MemoryRegionTable;
import io.metaroce.port.PacketPort;
import io.metaroce.port.PortCapabilities;
import io.metaroce.transport.congestion.AimdCongestion;
import io.metaroce.transport.congestion.CongestionControlFactory;
import io.metaroce.transport.congestion.CongestionSettings;
import io.metaroce.transport.congestion.FixedWindow;
import io.metaroce.transport.congestion.InboundShares;
import io.metaroce.transport.connection.BrokenRule;
import io.metaroce.transport.connection.Connection;
import io.metaroce.transport.connection.ConnectionListener;
import io.metaroce.transport.connection.ConnectionSettings;
import io.metaroce.transport.stream.StreamSettings;
import io.metaroce.wire.Crc32c;
import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketParser;
import java.util.ArrayList;
import java.util.List;

/** Builds a lane's connections from the words of the control channel; any thread. */
final class ConnectionFactory {
    private static final int PAYLOAD_MIN = 256;
    private static final int OVERHEAD_BYTES = DataFlyweight.LENGTH + Opcode.HEADER_LENGTH_MAX + Crc32c.LENGTH;

    private final List<PortCapabilities> ports;
    private final MemoryRegionTable regions;
    private final ConnectionListener listener;
    private final CongestionSettings congestion;
    /** Of what arrives at this lane, over all its connections. */
    private final InboundShares shares;

    ConnectionFactory(
            List<PacketPort> ports,
            MemoryRegionTable regions,
            ConnectionListener listener,
            CongestionSettings congestion) {
        List<PortCapabilities> offered = new ArrayList<>();
        for (PacketPort port : ports) {
            offered.add(port.capabilities());
        }
        this.ports = List.copyOf(offered);
        this.regions = regions;
        this.listener = listener;
        this.congestion = congestion;
        this.shares = new InboundShares(congestion.planeRatesMbps(), congestion.hintPeriodNs(), congestion.noiseNs());
    }

    List<PortCapabilities> ports() {
        return ports;
    }

    int payloadBytesMax() {
        int frameBytesMax = Integer.MAX_VALUE;
        for (PortCapabilities port : ports) {
            frameBytesMax = Math.min(frameBytesMax, port.frameBytesMax());
        }
        // MOP-ENC-24, MOP-ENC-23
        int payloadBytes = Integer.highestOneBit(Math.max(frameBytesMax - OVERHEAD_BYTES, PAYLOAD_MIN));
        return Math.min(payloadBytes, PacketParser.PAYLOAD_MAX);
    }

    long receiveBufferBytes() {
        long bytes = Long.MAX_VALUE;
        for (PortCapabilities port : ports) {
            bytes = Math.min(bytes, port.receiveBufferBytes());
        }
        return bytes;
    }

    ConnectionEntry newConnection(ConnectionSpec spec, ConnectionCounters counters) {
        // MOP-CTL-9: planes of the lane beyond those of the peer are left out
        if (spec.planes().size() > ports.size()) {
            throw new IllegalArgumentException(
                    "the connection names " + spec.planes().size() + " planes, the lane has " + ports.size());
        }
        Connection connection = new Connection(settingsOf(spec), regions, factoryOf(spec), listener, counters);
        return new ConnectionEntry(spec.localId(), connection);
    }

    private CongestionControlFactory factoryOf(ConnectionSpec spec) {
        return switch (spec.congestion()) {
            case ECN_AIMD -> new AimdCongestion(congestion.withIncastDegree(spec.incastDegree()), shares);
            case FIXED_WINDOW -> (packetBytes, initialBytes, limitBytes) -> new FixedWindow(initialBytes);
        };
    }

    private ConnectionSettings settingsOf(ConnectionSpec spec) {
        List<ConnectionSettings.Plane> planes = new ArrayList<>();
        for (int i = 0; i < spec.planes().size(); i++) {
            ConnectionSpec.Plane peer = spec.planes().get(i);
            planes.add(new ConnectionSettings.Plane(
                    peer.addressHigh(),
                    peer.addressLow(),
                    peer.scope(),
                    peer.udpPort(),
                    ports.get(i).sourcePortCount(),
                    ports.get(i).burstPackets()));
        }
        ConnectionSpec.Timing timing = spec.timing();
        return new ConnectionSettings(
                spec.localId(),
                spec.remoteId(),
                planes,
                spec.paths(),
                Math.min(spec.payloadBytesMax(), payloadBytesMax()),
                spec.messageWindow(),
                spec.connectionWindowPackets(),
                spec.streamsMax(),
                spec.inFlightBytesMax(),
                new ConnectionSettings.Limits(
                        timing.timeoutFloorNs(),
                        timing.connectionTimeoutNs(),
                        timing.receiverNotReadyTimeoutNs(),
                        timing.acknowledgeEveryPackets(),
                        timing.initialWindowBytes()),
                spec.seed(),
                switch (spec.sabotage()) {
                    case NONE -> BrokenRule.NONE;
                    case DEDUPE -> BrokenRule.DEDUPE;
                    case REPAIR -> BrokenRule.REPAIR;
                });
    }

    static StreamSettings settingsOf(StreamSpec stream) {
        return new StreamSettings(
                stream.streamId(),
                stream.queuePairNumber(),
                stream.protectionDomain(),
                stream.sendRing(),
                stream.receiveRing(),
                stream.sendCompletions(),
                stream.receiveCompletions());
    }
}
