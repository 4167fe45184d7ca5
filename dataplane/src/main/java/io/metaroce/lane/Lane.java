// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import io.metaroce.counters.CounterBlock;
import io.metaroce.counters.LaneCounter;
import io.metaroce.memory.MemoryRegionTable;
import io.metaroce.port.PacketPort;
import io.metaroce.transport.congestion.CongestionSettings;
import java.util.List;

/**
 * One duty cycle over one queue of each port and a disjoint set of connections. It has no thread and no clock of its own:
 * {@link LaneRunner} gives it both, the simulator calls it itself.
 *
 * <p>The order of a cycle is a promise: <ol>
 * <li>stall: after a gap, what arrived meanwhile is taken first, then all deadlines move, so that the loop's own absence
 *     never looks like a silent peer;
 * <li>planes whose link changed, so that nothing more is sent into a dead one;
 * <li>commands;
 * <li>receive, and the end of the receive turn, at which acknowledgements fall due;
 * <li>timers, after the packets that may have made them needless;
 * <li>work requests;
 * <li>transmit: acknowledgements, retransmissions and new data of all the above in the same cycle;
 * <li>settle: deadlines, queue places and ends of the connections something happened to; events out.
 * </ol>
 */
public final class Lane {
    /** Receive calls on each port in which a stalled loop catches up before deadlines count again. */
    private static final int STALL_BURSTS_MAX = 64;
    /** Connections looked at in a cycle although nothing happened to them: their rings are polled, nothing is missed. */
    private static final int CONNECTIONS_OF_A_TURN = 32;
    /** How often a connection's gauges are written. */
    private static final long GAUGES_NS = 10_000_000;
    /** Turns in which a lane that stops flushes requests: rings hold more than a turn, or a message window, takes. */
    private static final int STOP_TURNS_MAX = 1 << 14;
    /** Ids released from quarantine in a cycle. */
    private static final int IDS_RELEASED_MAX = 16;

    private final LaneSettings settings;
    private final CounterBlock counters;
    private final MemoryRegionTable regions = new MemoryRegionTable();
    private final Planes planes;
    private final ConnectionTable connections;
    private final LaneCommands commands;
    private final LaneEvents events;
    private final LaneTimers timers;
    private final CommandTarget commandTarget;
    private final Receiver receiver;
    private final Transmitter transmitter;
    private final LaneControl control;
    private LaneState state = LaneState.NEW;
    private long lastCycleNs;

    /**
     * @param ports of DATAGRAM framing, one for each plane, in plane order, 1 to 8; the lane closes them
     * @param counters a block of {@link LaneCounter#count} rows, zeroed, that nobody else writes
     */
    public Lane(LaneSettings settings, List<PacketPort> ports, CounterBlock counters) {
        this(settings, ports, List.of(), counters);
    }

    /**
     * @param ports of DATAGRAM framing, one for each plane, in plane order, 1 to 8; the lane closes them
     * @param planeRatesMbps speed of each plane in Mbit/s, in plane order; 0 or absent where it is not known: no pacing, no hints
     * @param counters a block of {@link LaneCounter#count} rows, zeroed, that nobody else writes
     */
    public Lane(LaneSettings settings, List<PacketPort> ports, List<Integer> planeRatesMbps, CounterBlock counters) {
        this.settings = settings;
        this.counters = counters;
        this.planes = new Planes(ports);
        this.connections = new ConnectionTable(settings, counters);
        this.commands = new LaneCommands(settings.commandSlots());
        this.events = new LaneEvents(settings.eventSlots(), settings.connectionsMax(), counters);
        this.timers = new LaneTimers(settings.connectionsMax());
        this.commandTarget = new CommandTarget(connections, regions, planes, events, counters);
        this.receiver = new Receiver(settings, planes, connections, counters);
        this.transmitter = new Transmitter(settings, planes, counters);
        boolean isSimulated = settings.stallBoundNs() == Long.MAX_VALUE;
        CongestionSettings congestion = isSimulated
                ? CongestionSettings.simulated(planeRatesMbps, 0)
                : CongestionSettings.sockets(planeRatesMbps, 0);
        this.control = new LaneControl(
                commands, events, new ConnectionFactory(ports, regions, new EventReporter(events), congestion));
    }

    /** How other threads talk to this lane. */
    public LaneControl control() {
        return control;
    }

    public LaneState state() {
        return state;
    }

    /** The numbers of {@link LaneCounter}; any thread may read. */
    public CounterBlock counters() {
        return counters;
    }

    /**
     * One duty cycle.
     *
     * @param nowNs monotonic time, never before that of the last cycle
     * @return how much was done; 0 means that another cycle at the same time would do nothing
     */
    public int doWork(long nowNs) {
        int work = onCycle(nowNs);
        planes.poll(connections, events, nowNs);
        commandTarget.advance(nowNs);
        work += commands.drain(commandTarget, settings.commandsMax());
        work += receiver.receive(nowNs);
        receiver.endTurn();
        work += fireTimers(nowNs);
        work += takeWorkRequests(nowNs);
        enqueueTouched();
        work += transmitter.transmit(connections, nowNs);
        settle(nowNs);
        connections.releaseIds(nowNs, IDS_RELEASED_MAX);
        work += events.flush();
        return work;
    }

    /** When the next cycle must be at latest if nothing arrives before; {@link Long#MAX_VALUE} if never. */
    public long nextDeadlineNs() {
        return timers.earliestNs();
    }

    private int onCycle(long nowNs) {
        if (state == LaneState.NEW) {
            setState(LaneState.RUNNING);
            lastCycleNs = nowNs;
        }
        assert state == LaneState.RUNNING && nowNs - lastCycleNs >= 0;
        long gapNs = nowNs - lastCycleNs;
        lastCycleNs = nowNs;
        counters.increment(LaneCounter.CYCLES.ordinal());
        counters.set(LaneCounter.LAST_CYCLE_NS.ordinal(), nowNs);
        if (gapNs > counters.get(LaneCounter.CYCLE_MAX_NS.ordinal())) {
            counters.set(LaneCounter.CYCLE_MAX_NS.ordinal(), gapNs);
        }
        return gapNs > settings.stallBoundNs() ? onStall(gapNs - settings.stallBoundNs(), nowNs) : 0;
    }

    private int onStall(long stallNs, long nowNs) {
        int packets = receiver.receive(STALL_BURSTS_MAX, nowNs);
        receiver.endTurn();
        for (int i = 0; i < connections.count(); i++) {
            connections.get(i).connection().onStall(stallNs);
        }
        // All deadlines have moved, so the timers must not fire by the old ones.
        connections.touchAll();
        settle(nowNs);
        counters.increment(LaneCounter.STALLS.ordinal());
        counters.add(LaneCounter.STALLED_NS.ordinal(), stallNs);
        events.stage(LaneEvent.Kind.STALLED).value(stallNs);
        events.publish();
        return packets + 1;
    }

    /** Fires all that is due, each once, earliest first; those whose deadline has moved away meanwhile only move. */
    private int fireTimers(long nowNs) {
        int fired = 0;
        while (timers.isDue(nowNs)) {
            ConnectionEntry entry = timers.removeEarliest();
            long deadlineNs = entry.connection().nextDeadlineNs();
            if (deadlineNs - nowNs > 0) {
                timers.schedule(entry, deadlineNs);
            } else {
                entry.connection().onTimer(nowNs);
                connections.touch(entry);
                fired++;
            }
        }
        counters.add(LaneCounter.TIMERS_FIRED.ordinal(), fired);
        return fired;
    }

    /** Polls the rings of every connection something happened to, and of some others in turn; each gets an equal share. */
    private int takeWorkRequests(long nowNs) {
        for (int turns = Math.min(connections.count(), CONNECTIONS_OF_A_TURN); turns > 0; turns--) {
            connections.touch(connections.next());
        }
        int count = connections.touchedCount();
        int share = count == 0 ? 0 : Math.max(1, settings.workRequestsMax() / count);
        int taken = 0;
        for (int i = 0; i < count; i++) {
            taken += connections.touched(i).connection().onWorkRequests(share, nowNs);
        }
        counters.add(LaneCounter.WORK_REQUESTS.ordinal(), taken);
        return taken;
    }

    private void enqueueTouched() {
        for (int i = 0; i < connections.touchedCount(); i++) {
            transmitter.enqueue(connections.touched(i));
        }
    }

    private void settle(long nowNs) {
        for (int i = 0; i < connections.touchedCount(); i++) {
            ConnectionEntry entry = connections.touched(i);
            boolean isFinished = entry.connection().isFinished();
            if (isFinished || nowNs - entry.gaugesNs >= GAUGES_NS) {
                entry.gaugesNs = nowNs;
                entry.connection().updateGauges();
            }
            if (isFinished) {
                retire(entry, nowNs);
            } else {
                timers.schedule(entry, entry.connection().nextDeadlineNs());
            }
        }
        connections.clearTouched();
    }

    private void retire(ConnectionEntry entry, long nowNs) {
        timers.cancel(entry);
        transmitter.retire(entry);
        connections.retire(entry, nowNs);
        events.stage(LaneEvent.Kind.CONNECTION_FINISHED).connection(entry.id());
        events.publish();
    }

    /**
     * Ends the lane: every connection is closed and its requests flushed, as far as completion queues have room; what waits for a port is offered once more,
     * commands that wait are refused, ports are closed. On the thread of the duty cycle.
     */
    public void stop(long nowNs) {
        for (int i = 0; i < connections.count(); i++) {
            connections.get(i).connection().close();
        }
        int work = 1;
        for (int turn = 0; turn < STOP_TURNS_MAX && work > 0; turn++) {
            connections.touchAll();
            work = takeWorkRequests(nowNs);
            settle(nowNs);
        }
        transmitter.flush();
        end(LaneState.STOPPED, "stop requested");
    }

    /** Ends the lane after an exception, when no connection can be trusted to be whole: ports are closed, nothing else. */
    public void fail(Throwable cause) {
        counters.increment(LaneCounter.FAILURES.ordinal());
        end(LaneState.FAILED, cause.toString());
    }

    /** After the end: moves events that still wait for a reader into the ring; whether none are left. */
    public boolean flushEvents() {
        events.flush();
        return events.isFlushed();
    }

    private void end(LaneState last, String meaning) {
        setState(last);
        commandTarget.refuseAll();
        commands.drain(commandTarget, settings.commandSlots());
        events.stage(LaneEvent.Kind.LANE_ENDED).state(Words.of(last)).reason(Words.of(last), meaning);
        events.publish();
        events.flush();
        transmitter.close();
        planes.close();
    }

    private void setState(LaneState newState) {
        state = newState;
        counters.set(LaneCounter.STATE.ordinal(), newState.ordinal());
    }
}
