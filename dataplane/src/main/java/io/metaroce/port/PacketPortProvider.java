// SPDX-License-Identifier: Apache-2.0
package io.metaroce.port;

/** Opens ports of one kind; found by {@link java.util.ServiceLoader}. Called at start, never by a lane. */
public interface PacketPortProvider {

    /** The {@link PortSettings#kind} this provider answers to. */
    String kind();

    /**
     * Opens one queue.
     *
     * @throws PortException with one line that names the cause and the cure
     */
    PacketPort open(PortSettings settings);
}
