// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.counters.ConnectionCounters;
import io.metaroce.transport.recovery.SentPackets;
import io.metaroce.wire.PacketParser;

/** The relations between a connection's bounds, checked once, before anything is built on them. */
final class SettingsCheck {
    private static final int PATHS_MAX = 255;
    private static final int PLANES_MAX = 8;
    private static final int CONNECTION_WINDOW_MIN = 1024;
    private static final int CONNECTION_WINDOW_MAX = 16_384;

    private SettingsCheck() {}

    static void check(ConnectionSettings settings, ConnectionCounters counters) {
        requireRange("planes", settings.planes().size(), 1, PLANES_MAX);
        requireRange("paths", settings.paths(), settings.planes().size(), PATHS_MAX);
        requirePowerOfTwo(
                "payloadBytesMax", settings.payloadBytesMax(), PayloadProof.PAYLOAD_MIN, PacketParser.PAYLOAD_MAX);
        requirePowerOfTwo("messageWindow", settings.messageWindow(), 2, Content.ROWS_MAX);
        requirePowerOfTwo(
                "connectionWindowPackets",
                settings.connectionWindowPackets(),
                CONNECTION_WINDOW_MIN,
                CONNECTION_WINDOW_MAX);
        requireRange("streamsMax", settings.streamsMax(), 1, StreamTable.STREAMS_MAX);
        requireRange("counters' paths", counters.pathCount(), settings.paths(), PATHS_MAX);
        assert settings.connectionWindowPackets() >= SentPackets.WINDOW : "one path alone can fill its window";
        for (ConnectionSettings.Plane plane : settings.planes()) {
            requireRange("plane.sourcePorts", plane.sourcePorts(), 1, 1 << 16);
            requireRange("plane.burstPackets", plane.burstPackets(), 1, SentPackets.WINDOW);
            requireRange("plane.udpPort", plane.udpPort(), 1, 0xffff);
        }
    }

    private static void requireRange(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " must be " + least + ".." + most + ", was " + value);
        }
    }

    private static void requirePowerOfTwo(String name, int value, int least, int most) {
        requireRange(name, value, least, most);
        if (Integer.bitCount(value) != 1) {
            throw new IllegalArgumentException(name + " must be a power of two, was " + value);
        }
    }
}
