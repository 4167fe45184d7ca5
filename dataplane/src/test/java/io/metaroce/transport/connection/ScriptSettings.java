// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.port.IpAddress;
import io.metaroce.transport.congestion.CongestionControlFactory;
import io.metaroce.transport.congestion.EcnAimdWindow;
import io.metaroce.transport.congestion.FixedWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The lines of a script that say what its connection is like; each stands at most once, in any order. */
record ScriptSettings(List<Words> lines) {
    static final int PAYLOAD_BYTES = 256;
    /** Path, connection and message sequence of one direction begin there. */
    static final Words AT_THE_START = Words.of("start");

    private static final Set<String> NAMES = Set.of(
            "paths", "planes", "window", "congestion", "rnr", "silence", "message-window", "start", "peer-start");
    private static final long WINDOW_BYTES = 1 << 20;

    static ScriptSettings of(List<String> script) {
        return new ScriptSettings(
                script.stream().filter(ScriptSettings::isSetting).map(Words::of).toList());
    }

    static boolean isSetting(String line) {
        return NAMES.contains(Words.of(line).verb());
    }

    int paths() {
        return (int) number("paths", 1);
    }

    int planes() {
        return (int) number("planes", 1);
    }

    CongestionControlFactory congestion() {
        return find("congestion").verb().equals("congestion")
                ? EcnAimdWindow::new
                : (packet, initial, limit) -> new FixedWindow(number("window", WINDOW_BYTES));
    }

    Words start() {
        return find("start");
    }

    Words peerStart() {
        return find("peer-start");
    }

    /** The address of the peer on a plane. */
    static long address(int plane) {
        return IpAddress.mapped(0x0a000002 + (plane << 8));
    }

    ConnectionSettings connection() {
        List<ConnectionSettings.Plane> planes = new ArrayList<>();
        for (int plane = 0; plane < planes(); plane++) {
            planes.add(new ConnectionSettings.Plane(0, address(plane), 0, 4795, 8, 1));
        }
        ConnectionSettings.Limits usual = ConnectionSettings.Limits.SIMULATED;
        ConnectionSettings.Limits limits = new ConnectionSettings.Limits(
                usual.timeoutFloorNs(),
                time("silence", usual.connectionTimeoutNs()),
                time("rnr", usual.receiverNotReadyTimeoutNs()),
                usual.acknowledgeEveryPackets(),
                usual.initialWindowBytes());
        int messageWindow = (int) number("message-window", 16);
        return new ConnectionSettings(
                11, 22, planes, paths(), PAYLOAD_BYTES, messageWindow, 1024, 4, 1 << 20, limits, 1, BrokenRule.NONE);
    }

    private Words find(String name) {
        return lines.stream()
                .filter(words -> words.verb().equals(name))
                .findFirst()
                .orElse(AT_THE_START);
    }

    private long number(String name, long otherwise) {
        Words words = find(name);
        return words.verb().equals(name) ? words.number(1) : otherwise;
    }

    private long time(String name, long otherwise) {
        Words words = find(name);
        return words.verb().equals(name) ? Words.nanoseconds(words.word(1)) : otherwise;
    }
}
