// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * A message of the control channel (specification chapter "control channel"). Each side says HELLO first; the side that
 * opened the channel then says CONNECT. One channel serves one connection.
 */
public sealed interface ControlMessage {
    /** Version of the control protocol spoken here. */
    int VERSION = 1;

    /** Wire profile spoken here. */
    String PROFILE = "MOP/1";

    /** Who speaks. */
    record Hello(int version, String profile, List<String> capabilities, long incarnation, String node)
            implements ControlMessage {
        public Hello {
            capabilities = List.copyOf(capabilities);
        }
    }

    /**
     * Asks for a connection.
     *
     * @param attempt names the connection between the two processes; a repetition is answered the same
     * @param resume the channel was lost and the connection should still be there; never opens a new one
     */
    record Connect(long attempt, boolean resume, Offer offer) implements ControlMessage {}

    /** Grants it; {@code limits} are those in force for both sides. */
    record Accept(long attempt, Offer offer, Limits limits) implements ControlMessage {}

    /** Denies it. */
    record Refuse(long attempt, RefuseCode code, String reason) implements ControlMessage {}

    /** Asks for a stream to a service; the stream's number is chosen by the asker from its own half. */
    record OpenStream(int stream, String service, int queuePair, JsonNode privateData) implements ControlMessage {}

    /** Grants it. */
    record AcceptStream(int stream, int queuePair, JsonNode privateData) implements ControlMessage {}

    /** Denies it. */
    record RefuseStream(int stream, RefuseCode code, String reason) implements ControlMessage {}

    /** The sender has closed the stream. */
    record CloseStream(int stream, String reason) implements ControlMessage {}

    /** Which planes the sender can use, bit i for plane i; the highest sequence wins. */
    record PlaneStatus(long sequence, int usable) implements ControlMessage {}

    /** The sender shuts down soon: no new streams, finish what runs. */
    record Drain(String reason) implements ControlMessage {}

    /** The connection ends now. */
    record Close(CloseCode code, String reason) implements ControlMessage {}
}
