// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import io.metaroce.control.connect.DataplaneException;
import io.metaroce.control.connect.DataplaneListener;
import io.metaroce.control.connect.PlaneOffer;
import io.metaroce.lane.LaneControl;
import io.metaroce.lane.LaneEvent;
import io.metaroce.lane.Refusal;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The control thread's end of one lane: sends a command and waits for its answer, which comes within a duty cycle or two,
 * and keeps other events that arrive meanwhile in their order.
 */
final class LaneLink implements LaneEvent.Handler {
    private static final Logger LOG = LoggerFactory.getLogger(LaneLink.class);

    /** A lane that takes longer has a defect or no processor; its connections are refused then. */
    private static final long ANSWER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);

    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final int PLANES_MASK = 0xff;
    private static final int EVENTS_MAX = 256;

    /** Sends a command with a correlation id; false if the lane's ring is full. */
    interface Command {
        boolean send(LaneControl lane, long correlationId);
    }

    private final int index;
    private final LaneControl lane;
    private final List<PlaneOffer> planes;
    private final List<Integer> scopes;
    private final Queue<Consumer<DataplaneListener>> pending = new ArrayDeque<>();
    private final Set<Integer> connections = new LinkedHashSet<>();
    private long correlationId;
    private boolean isAnswered;
    private Refusal refusal = Refusal.NONE;
    private boolean hasEnded;

    /**
     * @param planes how peers reach the lane
     * @param scopes interface index of each plane's link-local address, else 0
     */
    LaneLink(int index, LaneControl lane, List<PlaneOffer> planes, List<Integer> scopes) {
        this.index = index;
        this.lane = lane;
        this.planes = List.copyOf(planes);
        this.scopes = List.copyOf(scopes);
    }

    List<PlaneOffer> planes() {
        return planes;
    }

    int scope(int plane) {
        return scopes.get(plane);
    }

    void addConnection(int localId) {
        connections.add(localId);
    }

    /** Returns when the lane has carried the command out. */
    void carryOut(Command command) throws DataplaneException {
        correlationId++;
        isAnswered = false;
        refusal = Refusal.NONE;
        long deadlineNs = System.nanoTime() + ANSWER_TIMEOUT_NS;
        boolean isSent = false;
        while (!isAnswered) {
            if (hasEnded) {
                throw new DataplaneException("lane " + index + " has stopped");
            }
            if (!isSent) {
                isSent = command.send(lane, correlationId);
            }
            if (lane.pollEvents(this, EVENTS_MAX) == 0) {
                if (deadlineNs - System.nanoTime() < 0) {
                    throw new DataplaneException("lane " + index + " does not answer");
                }
                LockSupport.parkNanos(PARK_NS);
            }
        }
        if (refusal != Refusal.NONE) {
            throw new DataplaneException(refusal.meaning());
        }
    }

    /** As {@link #carryOut}, for what a lane can only refuse when it is done already. */
    void carryOutQuietly(Command command) {
        try {
            carryOut(command);
        } catch (DataplaneException e) {
            LOG.debug("lane {}: {}", index, e.getMessage());
        }
    }

    /**
     * Returns when what the command takes away is certainly gone: taken away now, unknown to the lane, or ended with it.
     *
     * @throws DataplaneException if a living lane does not answer, which may still touch it
     */
    void takeAway(Command command) throws DataplaneException {
        try {
            carryOut(command);
        } catch (DataplaneException e) {
            boolean isGone = hasEnded || refusal != Refusal.NONE;
            if (!isGone) {
                throw e;
            }
            LOG.debug("lane {}: {}", index, e.getMessage());
        }
    }

    int deliver(DataplaneListener listener) {
        lane.pollEvents(this, EVENTS_MAX);
        int delivered = 0;
        for (Consumer<DataplaneListener> event = pending.poll(); event != null; event = pending.poll()) {
            event.accept(listener);
            delivered++;
        }
        return delivered;
    }

    @Override
    public void onEvent(LaneEvent event) {
        // The slot is the lane's again after this call: every value is taken out here.
        int id = event.connectionId();
        int stream = event.streamId();
        long value = event.value();
        String state = event.state();
        String reason = event.reason();
        String meaning = event.meaning();
        switch (event.kind()) {
            case DONE -> answer(event.correlationId(), Refusal.NONE);
            case REFUSED -> answer(event.correlationId(), event.refusal());
            case READY -> pending.add(listener -> listener.onReady(id, (int) value));
            case PATH_CHANGED -> {
                int path = event.pathId();
                pending.add(listener -> listener.onPathChanged(id, path, state, reason));
            }
            case STREAM_FAILED -> pending.add(listener -> listener.onStreamFailed(id, stream, reason));
            case STREAM_CLOSED -> pending.add(listener -> listener.onStreamClosed(id, stream));
            case CONNECTION_LOST -> pending.add(listener -> listener.onConnectionLost(id, meaning));
            case CONNECTION_FINISHED -> finish(id);
            case PLANE_LINK -> pending.add(listener -> listener.onPlaneLink((int) value, state.equals("up")));
            case PLANES_ANNOUNCED ->
                pending.add(listener -> listener.onPlanesAnnounced(id, value >>> Byte.SIZE, (int) value & PLANES_MASK));
            case STALLED -> LOG.debug("lane {} stood still for {} us", index, value / 1000);
            case LANE_ENDED -> end(state);
        }
    }

    private void answer(long answered, Refusal itsRefusal) {
        if (answered == correlationId) {
            isAnswered = true;
            refusal = itsRefusal;
        }
    }

    private void finish(int id) {
        connections.remove(id);
        pending.add(listener -> listener.onConnectionFinished(id));
    }

    /** Nothing of the lane's is touched any more, whatever state its connections were in. */
    private void end(String state) {
        hasEnded = true;
        if (state.equals("failed")) {
            LOG.error("lane {} failed; its connections are lost", index);
        }
        List.copyOf(connections).forEach(this::finish);
    }
}
