// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import io.metaroce.port.PacketPort;
import io.metaroce.port.PacketPortProvider;
import io.metaroce.port.PortSettings;
import org.jspecify.annotations.Nullable;

/** Opens ports of kind {@code socket}. */
public final class SocketPortProvider implements PacketPortProvider {
    @Override
    public String kind() {
        return "socket";
    }

    @Override
    public @Nullable String missing() {
        return LibCLoader.failure();
    }

    @Override
    public PacketPort open(PortSettings settings) {
        LibCLoader.load(); // First, so that a host without native code gets one line and no linkage error.
        return SocketPortAssembly.open(settings);
    }
}
