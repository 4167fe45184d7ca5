// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

/** One end of a control channel as the manager sees it; control thread only. */
interface ControlChannel {
    /** Queues a message; a channel that cannot take it is lost, which is told later, never from inside this call. */
    void send(ControlMessage message);

    /** Sends what is queued, then closes; nothing is told any more. */
    void close();

    /** The peer's address and port, for messages. */
    String remote();

    /** Our address of the channel as a literal without scope. */
    String localAddress();
}
