// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

/** Why a lane refused a command. */
public enum Refusal {
    NONE("not refused"),
    CONNECTION_LIMIT("the lane holds as many connections as its settings permit"),
    ID_TAKEN("a connection of this lane has that id"),
    ID_QUARANTINED("a connection that ended lately had that id"),
    UNKNOWN_CONNECTION("no connection of this lane has that id"),
    STREAM("the stream's number is taken, or the connection holds as many streams as negotiated"),
    KEY_TAKEN("the memory key's index is in use, or the range is empty or wraps"),
    UNKNOWN_KEY("no registration of this lane has that key"),
    UNKNOWN_PLANE("the lane has no such plane"),
    LANE_STOPPED("the lane has stopped");

    private final String meaning;

    Refusal(String meaning) {
        this.meaning = meaning;
    }

    /** One clause for people. */
    public String meaning() {
        return meaning;
    }
}
