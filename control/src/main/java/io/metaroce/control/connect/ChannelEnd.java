// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import io.metaroce.control.connect.ControlMessage.Hello;
import org.jspecify.annotations.Nullable;

/** What the manager knows of one channel: who is at the other end and whom it serves. */
final class ChannelEnd {
    final ControlChannel channel;
    /** The dial this channel comes from; null if the peer opened it. */
    final @Nullable OutgoingConnect connect;
    /** When the handshake must be over. */
    final long deadlineNs;

    @Nullable
    Hello hello;

    @Nullable
    Session session;

    ChannelEnd(ControlChannel channel, @Nullable OutgoingConnect connect, long deadlineNs) {
        this.channel = channel;
        this.connect = connect;
        this.deadlineNs = deadlineNs;
    }
}
