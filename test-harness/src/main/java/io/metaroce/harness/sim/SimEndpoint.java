// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.ConnectionCounters;
import io.metaroce.memory.AccessFlags;
import io.metaroce.memory.MemoryRegionTable;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.transport.congestion.EcnAimdWindow;
import io.metaroce.transport.connection.Arrival;
import io.metaroce.transport.connection.Connection;
import io.metaroce.transport.connection.ConnectionListener;
import io.metaroce.transport.connection.ConnectionSettings;
import io.metaroce.transport.connection.LossReason;
import io.metaroce.transport.connection.TransmitFrame;
import io.metaroce.wire.PacketParser;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.ParseResult;
import java.util.List;

/** One host: a bare connection driven as a lane drives it, its streams, and the application. */
final class SimEndpoint {
    private static final int WORK_REQUESTS_OF_A_TURN = 32;
    private static final int PACKETS_OF_A_TURN = 64;

    private final int side;
    private final SimWire wire;
    private final List<SimStream> streams;
    private final Connection connection;
    private final ConnectionCounters counters;
    private final PacketParser parser = new PacketParser();
    private final PacketView view = new PacketView();
    private final Arrival arrival = new Arrival();
    private final TransmitFrame frame = new TransmitFrame();
    private final Diary diary = new Diary();
    private long pausedUntilNs;
    private long pausedSinceNs;

    SimEndpoint(
            int side, SimWire wire, List<SimStream> streams, SimStream.SimMemory memory, ConnectionSettings settings) {
        this.side = side;
        this.wire = wire;
        this.streams = streams;
        this.counters = ConnectionCounters.inProcess(settings.paths());
        MemoryRegionTable table = new MemoryRegionTable();
        table.install(memory.key(), memory.address(), memory.bytes(), AccessFlags.ALL, SimStream.PROTECTION_DOMAIN);
        connection = new Connection(settings, table, EcnAimdWindow::new, diary, counters);
        for (int i = 0; i < streams.size(); i++) {
            connection.openStream(streams.get(i).settings(i));
        }
    }

    Connection connection() {
        return connection;
    }

    long count(ConnectionCounter counter) {
        return counters.get(counter);
    }

    void pause(long nowNs, long untilNs) {
        pausedSinceNs = nowNs;
        pausedUntilNs = untilNs;
    }

    boolean isPaused(long nowNs) {
        return nowNs < pausedUntilNs;
    }

    void onFlight(SimWire.Flight flight, long nowNs) {
        if (parser.parse(flight.bytes(), 0, flight.length(), view) == ParseResult.OK
                && view.connectionId() == connection.localId()) {
            arrival.set(0, 0, ConnectionPair.address(1 - side), flight.ecn(), 0);
            connection.onPacket(view, arrival, nowNs);
        }
    }

    /** One cycle in the lane's order; returns whether anything was done. */
    boolean turn(long nowNs) {
        boolean didWork = false;
        connection.onReceiveTurnEnd();
        if (pausedSinceNs > 0) {
            connection.onStall(nowNs - pausedSinceNs);
            pausedSinceNs = 0;
        }
        if (connection.nextDeadlineNs() - nowNs <= 0) {
            connection.onTimer(nowNs);
            didWork = true;
        }
        for (SimStream stream : streams) {
            didWork |= stream.doWork();
        }
        didWork |= connection.onWorkRequests(WORK_REQUESTS_OF_A_TURN, nowNs) > 0;
        return transmit(nowNs) || didWork;
    }

    long nextDeadlineNs() {
        return Math.max(connection.nextDeadlineNs(), pausedUntilNs);
    }

    /** What happened to streams and the connection, for the report of a failed run. */
    String diary() {
        return "side " + side + ": " + diary.text;
    }

    private static final class Diary implements ConnectionListener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public void onStreamFailed(int connectionId, int streamId, CompletionStatus status) {
            text.append(" stream ").append(streamId).append(" failed as ").append(status);
        }

        @Override
        public void onLost(int connectionId, LossReason reason) {
            text.append(" lost: ").append(reason.meaning());
        }
    }

    private boolean transmit(long nowNs) {
        for (int packets = 0; packets < PACKETS_OF_A_TURN; packets++) {
            SimWire.Flight flight = wire.claim();
            frame.wrap(flight.bytes().addressOffset(), SimWire.PACKET_BYTES_MAX);
            int length = connection.pollTransmit(frame, nowNs);
            if (length == 0) {
                wire.giveBack(flight);
                return packets > 0;
            }
            wire.send(flight, length, side, frame.sourcePortIndex(), nowNs);
        }
        return true;
    }
}
