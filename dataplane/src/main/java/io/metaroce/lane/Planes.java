// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import io.metaroce.port.Framing;
import io.metaroce.port.PacketPort;
import io.metaroce.transport.connection.Connection;
import java.util.List;

/** The lane's ports, one for each plane, and whether each plane can be used. */
final class Planes {
    /** Planes of a host (MOP/1). */
    static final int COUNT_MAX = 8;

    private final PacketPort[] ports;
    private final boolean[] isPermitted;
    private final boolean[] isUp;

    Planes(List<PacketPort> ports) {
        if (ports.isEmpty() || ports.size() > COUNT_MAX) {
            throw new IllegalArgumentException("a lane needs 1.." + COUNT_MAX + " ports, was given " + ports.size());
        }
        this.ports = ports.toArray(new PacketPort[0]);
        this.isPermitted = new boolean[this.ports.length];
        this.isUp = new boolean[this.ports.length];
        for (int i = 0; i < this.ports.length; i++) {
            if (this.ports[i].capabilities().framing() != Framing.DATAGRAM) {
                throw new IllegalArgumentException(
                        "plane " + i + ": only ports that carry datagrams are supported, not whole frames");
            }
            isPermitted[i] = true;
            isUp[i] = this.ports[i].linkIsUp();
        }
    }

    int count() {
        return ports.length;
    }

    PacketPort port(int plane) {
        return ports[plane];
    }

    boolean isUp(int plane) {
        return isUp[plane];
    }

    /** Whether the owner permits a plane's use; takes effect at the next {@link #poll}. */
    void setUsable(int plane, boolean isUsable) {
        isPermitted[plane] = isUsable;
    }

    /** Tells every connection of planes that came or went since the last look. */
    void poll(ConnectionTable connections, LaneEvents events, long nowNs) {
        for (int plane = 0; plane < ports.length; plane++) {
            boolean nowUp = isPermitted[plane] && ports[plane].linkIsUp();
            if (nowUp != isUp[plane]) {
                isUp[plane] = nowUp;
                for (int i = 0; i < connections.count(); i++) {
                    connections.get(i).connection().onPlaneLink(plane, nowUp, nowNs);
                }
                connections.touchAll();
                events.stage(LaneEvent.Kind.PLANE_LINK).value(plane).state(nowUp ? "up" : "down");
                events.publish();
            }
        }
    }

    /** Tells a new connection of the planes that are down now; it takes planes for up until told otherwise. */
    void tell(Connection connection, long nowNs) {
        for (int plane = 0; plane < ports.length; plane++) {
            if (!isUp[plane]) {
                connection.onPlaneLink(plane, false, nowNs);
            }
        }
    }

    void close() {
        for (PacketPort port : ports) {
            port.close();
        }
    }
}
