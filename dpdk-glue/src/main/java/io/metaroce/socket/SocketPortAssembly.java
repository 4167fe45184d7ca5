// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import io.metaroce.port.Framing;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PortCapabilities;
import io.metaroce.port.PortCounters;
import io.metaroce.port.PortException;
import io.metaroce.port.PortSettings;
import java.util.Set;

/** Opens the sockets and builds the parts of a {@link SocketPort}; frees all of them if one cannot be had. */
record SocketPortAssembly(
        UdpSocket receiveSocket,
        SourcePorts sourcePorts,
        SegmentationOffload offload,
        SlotPool receiveSlots,
        SlotPool transmitSlots,
        SocketReceiver receiver,
        SocketTransmitter transmitter,
        LinkState link,
        PortCounters counters) {

    /** Option word: a number that the search for free source ports starts from. */
    private static final String SEED_OPTION = "seed";

    private static final Set<String> OPTIONS = Set.of(SEED_OPTION, SegmentationOffload.OPTION);

    /** Slots of each pool per descriptor of a burst: one burst at work, one armed, and some held back. */
    private static final int SLOTS_PER_DESCRIPTOR = 4;

    private static final int SLOTS_MIN = 64;

    /** Messages of one receive call with offload, each up to 64 KiB: more would only spread over more of the cache. */
    private static final int MERGED_MESSAGES_MAX = 16;

    private static final int MERGED_SLOTS_MAX = 128;

    /**
     * Consecutive packets of one path that go well together without offload: one sendmmsg saves a tenth to a quarter of the kernel's cost
     * (measured, 4160 B: 7.4 us singly, 5.4 at 8, 5.1-5.7 at 32), and more than 8 would only coarsen the spraying.
     */
    private static final int BURST_OF_ONE_PATH = 8;

    /** The same where a run of equal packets is one message: 0.75 us each at 15, against 7.4 singly (MOP-PATH-27). */
    private static final int BURST_OF_ONE_MESSAGE = 15;

    /** Room for the smallest useful packet: an operation header and 256 bytes of payload. */
    private static final int FRAME_BYTES_MIN = 512;

    private static final int SOURCE_PORTS_MAX = 1024;
    private static final int DSCP_MAX = 63;
    private static final int PORT_MAX = 65535;

    static SocketPort open(PortSettings settings) {
        check(settings);
        String givenSeed = givenSeed(settings);
        SegmentationOffload.isSwitchedOff(settings);
        LocalAddress address = LocalAddress.resolve(settings);
        int frameBytesMax = Math.min(settings.frameBytesMax(), address.frameBytesMax());
        if (frameBytesMax < FRAME_BYTES_MIN) {
            throw new PortException("port " + settings.name() + ": packets of " + frameBytesMax
                    + " bytes are too small: the MTU and frameBytesMax must leave " + FRAME_BYTES_MIN);
        }
        UdpSocket receiveSocket = bindReceiveSocket(settings, address);
        long seed = givenSeed.isEmpty() ? placeSeed(settings, receiveSocket.boundPort()) : Long.parseLong(givenSeed);
        SourcePorts sourcePorts;
        try {
            sourcePorts = new SourcePorts(address, settings, seed);
        } catch (PortException e) {
            receiveSocket.close();
            throw e;
        }
        SocketPortAssembly parts = build(settings, address, frameBytesMax, receiveSocket, sourcePorts);
        return prove(parts, settings, address, frameBytesMax, seed);
    }

    private static UdpSocket bindReceiveSocket(PortSettings settings, LocalAddress address) {
        UdpSocket socket = new UdpSocket(address);
        int errno = socket.bind(settings.udpPort());
        if (errno != 0) {
            socket.close();
            throw BindFailure.of(settings, address, errno, Integer.toString(settings.udpPort()));
        }
        socket.reportOnReceive();
        return socket;
    }

    private static SocketPortAssembly build(
            PortSettings settings,
            LocalAddress address,
            int frameBytesMax,
            UdpSocket receiveSocket,
            SourcePorts sourcePorts) {
        PortCounters counters = new PortCounters();
        SegmentationOffload offload = new SegmentationOffload(settings, receiveSocket);
        int slots = Math.max(SLOTS_MIN, SLOTS_PER_DESCRIPTOR * settings.burstPackets());
        int slotBytes = offload.merges() ? SegmentationOffload.MESSAGE_BYTES : frameBytesMax;
        int messages =
                offload.merges() ? Math.min(MERGED_MESSAGES_MAX, settings.burstPackets()) : settings.burstPackets();
        SlotPool receiveSlots = new SlotPool(offload.merges() ? Math.min(slots, MERGED_SLOTS_MAX) : slots, slotBytes);
        MessageVector vector = new MessageVector(messages, address.isIpv6(), MessageVector.CONTROL_BYTES);
        int segments = offload.segments() ? SocketTransmitter.SEGMENTS_MAX : 1;
        return new SocketPortAssembly(
                receiveSocket,
                sourcePorts,
                offload,
                receiveSlots,
                new SlotPool(slots, frameBytesMax),
                new SocketReceiver(receiveSocket, vector, receiveSlots, slotBytes, frameBytesMax, counters),
                new SocketTransmitter(LibCLoader.load(), address, sourcePorts, frameBytesMax, segments, counters),
                new LinkState(receiveSocket.fd(), address.interfaceName()),
                counters);
    }

    private static SocketPort prove(
            SocketPortAssembly parts, PortSettings settings, LocalAddress address, int frameBytesMax, long seed) {
        int kernelBytes = parts.receiveSocket.receiveBuffer(settings.receiveBufferBytes());
        long announcedBytes = ReceiveBuffer.announcedBytes(kernelBytes);
        int udpPort = parts.receiver.localPort();
        PortCapabilities unproven = new PortCapabilities(
                Framing.DATAGRAM, frameBytesMax, announcedBytes, 1, settings.sourcePorts(), false, "");
        SocketPort port = new SocketPort(parts, unproven);
        EcnSelfTest.Outcome ecn = EcnSelfTest.run(port, address, udpPort, SplitMix.mix(seed));
        if (ecn != EcnSelfTest.Outcome.LOST) { // Where no packet comes back, nothing can be said about runs of them.
            parts.offload.prove(port, parts.transmitter, address, udpPort);
        }
        int burst = Math.min(
                settings.burstPackets(), parts.transmitter.segments() ? BURST_OF_ONE_MESSAGE : BURST_OF_ONE_PATH);
        parts.counters.clear();
        String description = "sockets at " + address.text() + ":" + udpPort + " on "
                + (address.interfaceName().isEmpty() ? "all interfaces" : address.interfaceName())
                + ", MTU " + address.mtuBytes() + ", packets to " + frameBytesMax + " B, receive buffer "
                + kernelBytes + " B that hold " + announcedBytes / PortCapabilities.bufferedBytes(frameBytesMax)
                + " of them, " + settings.sourcePorts() + " source ports, " + ecn.text() + ", "
                + parts.offload.text();
        return new SocketPort(
                parts,
                new PortCapabilities(
                        Framing.DATAGRAM,
                        frameBytesMax,
                        announcedBytes,
                        burst,
                        settings.sourcePorts(),
                        ecn == EcnSelfTest.Outcome.SEEN,
                        description));
    }

    private static void check(PortSettings settings) {
        inRange(settings, "udpPort", settings.udpPort(), 0, PORT_MAX);
        inRange(settings, "sourcePorts", settings.sourcePorts(), 1, SOURCE_PORTS_MAX);
        inRange(settings, "burstPackets", settings.burstPackets(), 1, PacketBurst.CAPACITY_MAX);
        inRange(settings, "dscp", settings.dscp(), 0, DSCP_MAX); // MOP-ENC-14
        for (String option : settings.options().keySet()) {
            if (!OPTIONS.contains(option)) {
                throw new PortException("port " + settings.name() + ": sockets know no option '" + option
                        + "': there are " + SEED_OPTION + " and " + SegmentationOffload.OPTION);
            }
        }
    }

    private static void inRange(PortSettings settings, String key, int value, int min, int max) {
        if (value < min || value > max) {
            throw new PortException(
                    "port " + settings.name() + ": " + key + " must be " + min + ".." + max + ", was " + value);
        }
    }

    /**
     * Without a seed, the same port of the same host starts its search at the same place after every restart, and two
     * programs of one host, which receive at different ports, start at different places.
     */
    private static long placeSeed(PortSettings settings, int boundPort) {
        long place = settings.localAddress().hashCode();
        return SplitMix.mix(place << 32 | (long) boundPort << 8 | settings.queue());
    }

    /** The seed that the operator gave, checked before anything is opened; empty if there is none. */
    private static String givenSeed(PortSettings settings) {
        String text = settings.options().getOrDefault(SEED_OPTION, "");
        if (!text.isEmpty() && !text.matches("-?\\d{1,18}")) {
            throw new PortException("port " + settings.name() + ": seed must be a whole number, was '" + text + "'");
        }
        return text;
    }
}
