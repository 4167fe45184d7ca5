// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

/** What the control channel counts. */
public enum ControlCounter {
    CHANNELS_ACCEPTED("control_channels_accepted", "Control channels that peers opened."),
    HANDSHAKES_REJECTED("control_handshakes_rejected", "Control channels closed because too many were in handshake."),
    HANDSHAKES_TIMED_OUT("control_handshakes_timed_out", "Control channels whose peer took too long to connect."),
    PROTOCOL_ERRORS("control_protocol_errors", "Control channels closed because the peer broke the protocol."),
    CHANNELS_LOST("control_channels_lost", "Control channels of living connections that were lost."),
    CONNECTIONS_OPENED("connections_opened", "Connections established."),
    CONNECTIONS_REFUSED("connections_refused", "Connections refused to peers."),
    CONNECTIONS_LOST("connections_lost", "Connections that ended by loss, not by a close."),
    CONNECTIONS_CLOSED("connections_closed", "Connections that ended, for whatever reason."),
    STREAMS_OPENED("streams_opened", "Streams opened, by us or by peers."),
    STREAMS_REFUSED("streams_refused", "Streams refused to peers.");

    private final String metricName;
    private final String help;

    ControlCounter(String metricName, String help) {
        this.metricName = metricName;
        this.help = help;
    }

    /** Name without the {@code metaroce_} prefix and without {@code _total}. */
    public String metricName() {
        return metricName;
    }

    public String help() {
        return help;
    }
}
