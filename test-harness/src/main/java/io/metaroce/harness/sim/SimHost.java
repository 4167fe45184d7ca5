// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.sim;

import io.metaroce.counters.CounterBlock;
import io.metaroce.counters.LaneCounter;
import io.metaroce.harness.check.OracleViolation;
import io.metaroce.lane.Lane;
import io.metaroce.lane.LaneControl;
import io.metaroce.lane.LaneEvent;
import io.metaroce.lane.LaneSettings;
import io.metaroce.lane.Refusal;
import io.metaroce.port.PacketPort;
import io.metaroce.port.PortCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** One host in virtual time: a whole lane with its ports, and the thread of its control side, which reads events. */
final class SimHost {
    /** How the lane of a host ended, if it did. */
    enum Fate {
        RUNS,
        STOPPED,
        /** Nobody calls it any more, as when its process was killed. */
        DEAD
    }

    /** A command as {@link LaneControl} takes it; false when the ring is full. */
    interface Command {
        boolean send(LaneControl control, long correlationId);
    }

    private static final int ADVISORIES_MAX = 16;

    final int number;
    final SimPort[] ports;
    final CounterBlock counters = new CounterBlock(
            new UnsafeBuffer(BufferUtil.allocateDirectAligned(CounterBlock.bytesFor(LaneCounter.count()), 64)),
            0,
            LaneCounter.count());
    final Lane lane;
    final TreeSet<Integer> ready = new TreeSet<>();
    final TreeSet<Integer> finished = new TreeSet<>();
    /** Connection ids in the high half, stream ids in the low. */
    final TreeSet<Long> closedStreams = new TreeSet<>();

    /** Hears of every connection whose memory the lane has let go of. */
    IntConsumer onFinished = connection -> {};

    private final LaneNet net;
    private final long stallBoundNs;
    private final StringBuilder diary = new StringBuilder();
    private final TreeMap<Long, Refusal> answers = new TreeMap<>();
    private final List<String> advisories = new ArrayList<>();
    private long correlation;
    private long pausedUntilNs;
    private Fate fate = Fate.RUNS;
    private boolean hasEnded;
    private boolean wasStoppedAmidst;

    SimHost(LaneNet net, int number, SimPort[] ports, LaneSettings settings) {
        this.net = net;
        this.number = number;
        this.ports = ports;
        this.stallBoundNs = settings.stallBoundNs();
        this.lane = new Lane(settings, List.<PacketPort>of(ports), counters);
    }

    Fate fate() {
        return fate;
    }

    boolean runs() {
        return fate == Fate.RUNS;
    }

    long get(LaneCounter counter) {
        return counters.get(counter.ordinal());
    }

    void pause(long untilNs) {
        pausedUntilNs = untilNs;
    }

    boolean isPaused(long nowNs) {
        return nowNs < pausedUntilNs;
    }

    /** One duty cycle, unless the host stands still; whether anything was done. */
    boolean turn(long nowNs) {
        if (!runs() || isPaused(nowNs)) {
            return false;
        }
        for (SimPort port : ports) {
            port.advance(nowNs);
        }
        return lane.doWork(nowNs) > 0;
    }

    /** When the lane must be called next, whatever arrives. */
    long nextDeadlineNs(long nowNs) {
        if (!runs()) {
            return Long.MAX_VALUE;
        }
        long deadlineNs = lane.nextDeadlineNs();
        if (stallBoundNs != Long.MAX_VALUE) {
            deadlineNs = Math.min(deadlineNs, nowNs + stallBoundNs / 2);
        }
        return Math.max(deadlineNs, pausedUntilNs);
    }

    /** The control side reads a few events. */
    boolean pollEvents(int limit) {
        return lane.control().pollEvents(this::onEvent, limit) > 0;
    }

    /**
     * Sends a command and lets time pass until it is answered. A host that runs no more answers at once that it has stopped.
     */
    Refusal carryOut(Command command) {
        long id = ++correlation;
        net.waitUntil("a place among the commands", () -> !runs() || command.send(lane.control(), id));
        net.waitUntil("the answer to command " + id + " of host " + number, () -> !runs() || answers.containsKey(id));
        Refusal answer = answers.get(id);
        return answer == null ? Refusal.LANE_STOPPED : answer;
    }

    /** Ends the lane while it has work: completions that find no room in their queue are lost. */
    void stopAmidst(long nowNs) {
        wasStoppedAmidst = true;
        stop(nowNs);
    }

    /** Ends the lane in order. */
    void stop(long nowNs) {
        for (SimPort port : ports) {
            port.advance(nowNs);
        }
        lane.stop(nowNs);
        fate = Fate.STOPPED;
        for (int i = 0; i < 1_000_000 && !hasEnded; i++) {
            pollEvents(16);
            lane.flushEvents();
        }
        require(hasEnded, "a stopped lane does not say so");
    }

    void die() {
        fate = Fate.DEAD;
    }

    /** What must hold once the lane has stopped. */
    void checkEnd() {
        require(counters.get(LaneCounter.FAILURES.ordinal()) == 0, "the lane failed");
        require(wasStoppedAmidst || get(LaneCounter.CONNECTIONS) == 0, "connections outlive their lane");
        long sent = 0;
        long received = 0;
        for (SimPort port : ports) {
            require(port.isClosed(), "a port was left open");
            int kept = port.buffers() - port.freeBuffers();
            require(kept == 0, kept + " buffers never came back");
            sent += port.counter(PortCounter.TX_PACKETS);
            received += port.counter(PortCounter.RX_PACKETS);
        }
        require(sent == get(LaneCounter.TX_PACKETS), "the lane counts other packets sent than its ports");
        require(received == get(LaneCounter.RX_PACKETS), "the lane counts other packets received than its ports");
    }

    /** What the lane told, for the report of a failed run. */
    String diary() {
        return "host " + number + " (" + fate + ", " + get(LaneCounter.CYCLES) + " cycles, "
                + get(LaneCounter.TX_PACKETS)
                + " packets sent, " + get(LaneCounter.RX_PACKETS) + " received, " + get(LaneCounter.TIMERS_FIRED)
                + " timers):" + diary + " " + advisories;
    }

    private void onEvent(LaneEvent event) {
        switch (event.kind()) {
            case DONE, REFUSED -> {
                Refusal before = answers.put(event.correlationId(), event.refusal());
                require(before == null, "a command was answered twice");
            }
            case READY -> require(ready.add(event.connectionId()), "ready twice");
            case CONNECTION_FINISHED -> {
                require(finished.add(event.connectionId()), "finished twice");
                onFinished.accept(event.connectionId());
            }
            case STREAM_CLOSED ->
                require(closedStreams.add(streamKey(event.connectionId(), event.streamId())), "a stream closed twice");
            case CONNECTION_LOST -> note(" lost " + event.connectionId() + " as " + event.reason());
            case STREAM_FAILED -> note(" stream " + event.streamId() + " failed as " + event.reason());
            case LANE_ENDED -> {
                require(!hasEnded, "ended twice");
                hasEnded = true;
            }
            case PATH_CHANGED, STALLED, PLANE_LINK, PLANES_ANNOUNCED -> advise(event.kind() + " " + event.state());
        }
    }

    static long streamKey(int connectionId, int streamId) {
        return (long) connectionId << Integer.SIZE | streamId;
    }

    private void note(String what) {
        diary.append(what);
    }

    private void advise(String what) {
        if (advisories.size() < ADVISORIES_MAX) {
            advisories.add(what);
        }
    }

    private void require(boolean isTrue, String what) {
        if (!isTrue) {
            throw new OracleViolation("host " + number + ": " + what);
        }
    }
}
