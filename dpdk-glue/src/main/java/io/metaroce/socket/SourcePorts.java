// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import io.metaroce.port.PortException;
import io.metaroce.port.PortSettings;
import java.util.Arrays;

/**
 * The pool of sending sockets, one per entropy: MOP takes a path's UDP source port from here. Shared by all connections of
 * the lane, so that the descriptors in use never depend on how many there are. Nobody sends to these ports, so their receive
 * buffers are kept at the minimum.
 */
final class SourcePorts implements AutoCloseable {
    /** The dynamic ports of RFC 6335, which MOP takes its entropies from (MOP-ENC-17). */
    static final int PORT_MIN = 49152;

    static final int PORT_COUNT = 65536 - PORT_MIN;

    static final int NO_SOCKET = -1;

    /** Ports tried for each one wanted before opening fails. */
    private static final int TRIES_PER_PORT = 1024;

    private static final int RECEIVE_BUFFER_BYTES = 2048;

    private final int[] ports;
    private final UdpSocket[] sockets;
    private final int[] fdByPort = new int[PORT_COUNT];
    private int opened;

    /**
     * @param seed where the pseudo-random search for free ports starts
     * @throws PortException if not enough ports are free or the process may not open that many sockets
     */
    SourcePorts(LocalAddress address, PortSettings settings, long seed) {
        this.ports = new int[settings.sourcePorts()];
        this.sockets = new UdpSocket[settings.sourcePorts()];
        Arrays.fill(fdByPort, NO_SOCKET);
        try {
            long state = seed;
            while (opened < ports.length) {
                state = openOne(address, settings, state);
            }
        } catch (PortException e) {
            close();
            throw e;
        }
    }

    private long openOne(LocalAddress address, PortSettings settings, long seed) {
        UdpSocket socket = new UdpSocket(address);
        sockets[opened] = socket;
        ports[opened] = 0;
        opened++; // From here on close() frees it.
        socket.sendAsEct0(settings.dscp());
        socket.receiveBuffer(RECEIVE_BUFFER_BYTES);
        long state = seed;
        int errno = 0;
        for (int i = 0; i < TRIES_PER_PORT; i++) {
            state = SplitMix.next(state);
            int port = PORT_MIN + (int) Math.floorMod(SplitMix.mix(state), (long) PORT_COUNT);
            errno = port == settings.udpPort() ? 0 : socket.bind(port);
            if (errno == 0 && port != settings.udpPort()) {
                ports[opened - 1] = port;
                fdByPort[port - PORT_MIN] = socket.fd();
                return state;
            }
            if (errno != 0 && !Errno.EADDRINUSE.is(errno)) {
                break;
            }
        }
        throw BindFailure.of(settings, address, errno, "a source port in " + PORT_MIN + "-65535");
    }

    int count() {
        return ports.length;
    }

    int port(int index) {
        return ports[index];
    }

    /** Descriptor of the socket bound to a port, {@link #NO_SOCKET} if none of ours is. */
    int fd(int port) {
        int index = port - PORT_MIN;
        return index < 0 || index >= PORT_COUNT ? NO_SOCKET : fdByPort[index];
    }

    @Override
    public void close() {
        for (int i = 0; i < opened; i++) {
            sockets[i].close();
        }
        opened = 0;
        Arrays.fill(fdByPort, NO_SOCKET);
    }
}
