// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

/**
 * Something a lane says. A slot of the event ring: valid during {@link Handler#onEvent} only, never kept, since the lane
 * writes the next event into it. Which fields mean something depends on the kind; the others are zero or empty.
 */
public final class LaneEvent {

    /** What an event says. Advisory kinds may be dropped, counted, when nobody reads events in time; the others wait. */
    public enum Kind {
        /** The command of {@link #correlationId} was carried out. */
        DONE(false),
        /** The command of {@link #correlationId} was refused; {@link #refusal} says why. */
        REFUSED(false),
        /** The connection proved its payload size, {@link #value} in bytes; data can flow. */
        READY(false),
        /** Path {@link #pathId} went to {@link #state} because of {@link #reason}. */
        PATH_CHANGED(true),
        /** Stream {@link #streamId} went to error and flushes; {@link #reason} is the first completion status. */
        STREAM_FAILED(true),
        /** Stream {@link #streamId} closed as asked: its rings are not touched any more. */
        STREAM_CLOSED(false),
        /** The connection is lost because of {@link #reason}; CONNECTION_FINISHED follows. */
        CONNECTION_LOST(false),
        /** The connection ended and every completion is delivered: the lane does not touch its memory any more. */
        CONNECTION_FINISHED(false),
        /** The loop stood still; all deadlines moved by {@link #value} nanoseconds. */
        STALLED(true),
        /** The link of plane {@link #value} went up or down, as {@link #state} says. */
        PLANE_LINK(true),
        /** Our planes as the connection announces them: {@link #value} is the sequence times 256 plus the mask. */
        PLANES_ANNOUNCED(false),
        /** The lane ended its last cycle; {@link #state} is {@code stopped} or {@code failed}. The last event of a lane. */
        LANE_ENDED(false);

        private final boolean isAdvisory;

        Kind(boolean isAdvisory) {
            this.isAdvisory = isAdvisory;
        }

        boolean isAdvisory() {
            return isAdvisory;
        }
    }

    /** Takes events on the thread that polls them. */
    @FunctionalInterface
    public interface Handler {
        void onEvent(LaneEvent event);
    }

    private Kind kind = Kind.DONE;
    private Refusal refusal = Refusal.NONE;
    private long correlationId;
    private int connectionId;
    private int streamId;
    private int pathId;
    private long value;
    private String state = "";
    private String reason = "";
    private String meaning = "";

    LaneEvent() {}

    public Kind kind() {
        return kind;
    }

    /** The number that the command's sender chose. */
    public long correlationId() {
        return correlationId;
    }

    public Refusal refusal() {
        return refusal;
    }

    /** Our id of the connection. */
    public int connectionId() {
        return connectionId;
    }

    public int streamId() {
        return streamId;
    }

    public int pathId() {
        return pathId;
    }

    public long value() {
        return value;
    }

    /** One lower-case word of a bounded set. */
    public String state() {
        return state;
    }

    /** One lower-case word of a bounded set. */
    public String reason() {
        return reason;
    }

    /** One clause for people, or empty. */
    public String meaning() {
        return meaning;
    }

    LaneEvent clear(Kind newKind) {
        kind = newKind;
        refusal = Refusal.NONE;
        correlationId = 0;
        connectionId = 0;
        streamId = 0;
        pathId = 0;
        value = 0;
        state = "";
        reason = "";
        meaning = "";
        return this;
    }

    LaneEvent answer(long correlation, Refusal why) {
        correlationId = correlation;
        refusal = why;
        return this;
    }

    LaneEvent connection(int id) {
        connectionId = id;
        return this;
    }

    LaneEvent stream(int id) {
        streamId = id;
        return this;
    }

    LaneEvent path(int id) {
        pathId = id;
        return this;
    }

    LaneEvent value(long newValue) {
        value = newValue;
        return this;
    }

    LaneEvent state(String word) {
        state = word;
        return this;
    }

    LaneEvent reason(String word, String clause) {
        reason = word;
        meaning = clause;
        return this;
    }

    void copyFrom(LaneEvent other) {
        kind = other.kind;
        refusal = other.refusal;
        correlationId = other.correlationId;
        connectionId = other.connectionId;
        streamId = other.streamId;
        pathId = other.pathId;
        value = other.value;
        state = other.state;
        reason = other.reason;
        meaning = other.meaning;
    }
}
