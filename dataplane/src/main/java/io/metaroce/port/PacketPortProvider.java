// SPDX-License-Identifier: Apache-2.0
package io.metaroce.port;

import org.jspecify.annotations.Nullable;

/** Opens ports of one kind; found by {@link java.util.ServiceLoader}. Called at start, never by a lane. */
public interface PacketPortProvider {

    /** The {@link PortSettings#kind} this provider answers to. */
    String kind();

    /** Why no port of this kind can be opened on this host whatever its settings, in one line with the cure; null if it can. */
    default @Nullable String missing() {
        return null;
    }

    /**
     * Opens one queue.
     *
     * @throws PortException with one line that names the cause and the cure
     */
    PacketPort open(PortSettings settings);
}
