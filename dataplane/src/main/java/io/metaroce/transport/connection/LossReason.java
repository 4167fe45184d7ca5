// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

/** Why a connection was lost. */
public enum LossReason {
    TIMEOUT("the peer has been silent on all paths for the connection timeout"),
    PAYLOAD_BLACK_HOLE("no padded probe of any size was answered"),
    PATH_WINDOW_EXCEEDED("the peer sent beyond a path window"),
    CONNECTION_WINDOW_EXCEEDED("the peer sent beyond the connection window"),
    MESSAGE_WINDOW_EXCEEDED("the peer sent beyond a message window"),
    MESSAGE_INCONSISTENT("packets of one message contradict each other"),
    UNREPAIRABLE("one packet was sent over and over in vain, though the peer answers"),
    CLOSED("closed by its owner");

    private final String meaning;

    LossReason(String meaning) {
        this.meaning = meaning;
    }

    /** One clause for people. */
    public String meaning() {
        return meaning;
    }
}
