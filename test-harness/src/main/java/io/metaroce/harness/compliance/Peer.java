// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import com.fasterxml.jackson.databind.JsonNode;
import io.metaroce.harness.compliance.Recording.Frame;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** A peer of the target with one connection and one stream; answers PROBEs and DATA unless the script does it. */
final class Peer implements AutoCloseable {
    static final int ANSWER_MS = 3_000;
    private static final int DATAGRAM_BYTES_MAX = 65_536;

    final Recording recording = new Recording();
    final Expressions names = new Expressions();
    final Channel channel;
    final int stream = 0;
    private final @Nullable Mutant mutant;
    private final DatagramSocket socket;
    private final InetSocketAddress local;
    private final Map<Integer, PathAnswers> paths = new HashMap<>();
    private InetSocketAddress remote = new InetSocketAddress(0);
    private int connectionId;
    private int lastTimestamp = (int) (System.nanoTime() / 16);
    private int errorsIssued;
    private int nextCsn;
    private final java.util.BitSet csns = new java.util.BitSet();
    volatile boolean answersProbes = true;
    volatile boolean answersData = true;

    Peer(InetSocketAddress target, @Nullable Mutant mutant) throws IOException {
        this.mutant = mutant;
        channel = new Channel(target);
        socket = new DatagramSocket(0, InetAddress.getByName(channel.localAddress()));
        socket.setReceiveBufferSize(1 << 20);
        local = (InetSocketAddress) socket.getLocalSocketAddress();
    }

    /** HELLO both ways. */
    void hello() throws IOException {
        channel.send("{\"type\":\"HELLO\",\"version\":1,\"profile\":\"MOP/1\",\"capabilities\":[],\"incarnation\":\""
                + hex64() + "\",\"node\":\"compliance\"}");
        demand(channel.read(ANSWER_MS), "HELLO");
    }

    /** Connects, opens the stream and grants credit. */
    void connect(Map<String, String> options) throws IOException {
        String limits = "{\"payload_bytes_max\":1024,\"csn_window_packets\":1024,\"message_window\":"
                + options.getOrDefault("message-window", "64") + ",\"streams_max\":8,\"paths\":"
                + options.getOrDefault("paths", "1") + "}";
        int id = ThreadLocalRandom.current().nextInt() | 1;
        channel.send(
                "{\"type\":\"CONNECT\",\"attempt\":\"" + hex64() + "\",\"resume\":false,\"offer\":{\"connection_id\":"
                        + Integer.toUnsignedString(id) + ",\"planes\":[{\"address\":\"" + channel.localAddress()
                        + "\",\"udp_port\":" + socket.getLocalPort()
                        + ",\"payload_bytes_max\":1024,\"receive_buffer_bytes\":1048576,\"burst_packets\":1}],\"limits\":"
                        + limits
                        + ",\"incast_degree\":1,\"operations\":[\"WRITE\",\"WRITE_IMM\",\"SEND\",\"SEND_IMM\",\"ERROR\"],"
                        + "\"check\":\"crc32c\"}}");
        JsonNode accept = demand(channel.readType("ACCEPT", ANSWER_MS), "ACCEPT");
        JsonNode offer = accept.path("offer");
        JsonNode plane = offer.path("planes").path(0);
        connectionId = (int) offer.path("connection_id").asLong();
        remote = new InetSocketAddress(
                InetAddress.getByName(plane.path("address").asText()),
                plane.path("udp_port").asInt());
        names.put("conn", connectionId & 0xffff_ffffL);
        names.put("own", id & 0xffff_ffffL);
        names.put("csn_window", accept.path("limits").path("csn_window_packets").asLong());
        names.put("message_window", accept.path("limits").path("message_window").asLong());
        Thread reader = new Thread(this::read, "compliance-peer");
        reader.setDaemon(true);
        reader.start();
        channel.send(
                "{\"type\":\"OPEN_STREAM\",\"stream\":0,\"service\":\"compliance\",\"queue_pair\":1,\"private_data\":{}}");
        JsonNode data = demand(channel.readType("ACCEPT_STREAM", ANSWER_MS), "ACCEPT_STREAM")
                .path("private_data");
        names.put("region", Long.parseUnsignedLong(data.path("address").asText(), 16));
        names.put("rkey", data.path("rkey").asLong() & 0xffff_ffffL);
        names.put("length", data.path("length").asLong());
        names.put("receives", data.path("receives").asLong());
        names.put("receive_bytes", data.path("receive_bytes").asLong());
        names.put(
                "ro_region",
                Long.parseUnsignedLong(data.path("read_only_address").asText(), 16));
        names.put("ro_rkey", data.path("read_only_rkey").asLong() & 0xffff_ffffL);
        names.put(
                "foreign_region",
                Long.parseUnsignedLong(data.path("foreign_address").asText(), 16));
        names.put("foreign_rkey", data.path("foreign_rkey").asLong() & 0xffff_ffffL);
        Packet credit = new Packet("CREDIT");
        credit.fields.put("entries", 1L);
        credit.body = new byte[8];
        credit.body[7] = (byte) Integer.parseInt(options.getOrDefault("credit", "64"));
        send(fill(credit), "credit of the stream", 2);
    }

    private static JsonNode demand(@Nullable JsonNode message, String type) {
        String seen = message == null
                ? "the end of the channel"
                : message.path("type").asText();
        if (message == null || !seen.equals(type)) {
            throw new CaseFailure("", "control message " + type, seen);
        }
        return message;
    }

    private static String hex64() {
        return String.format("%016x", ThreadLocalRandom.current().nextLong());
    }

    /** Version, type and connection, where the script did not say. */
    Packet fill(Packet packet) {
        var layout = Packet.layout(packet.name);
        if (layout == null) {
            throw new IllegalArgumentException("no packet is called " + packet.name);
        }
        packet.fields.putIfAbsent("version", 1L);
        packet.fields.putIfAbsent("type", (long) Packet.type(layout));
        packet.fields.putIfAbsent("destination-connection-id", connectionId & 0xffff_ffffL);
        return packet;
    }

    synchronized int timestamp() {
        int now = (int) (System.nanoTime() / 16);
        lastTimestamp = now - lastTimestamp > 0 ? now : lastTimestamp + 1;
        names.put("sent", lastTimestamp & 0xffff_ffffL);
        return lastTimestamp;
    }

    void send(Packet packet, String comment, int trafficClass) throws IOException {
        send(packet.encode(), comment, trafficClass);
    }

    synchronized void send(byte[] bytes, String comment, int trafficClass) throws IOException {
        recording.add(true, bytes, local, remote, comment);
        socket.setTrafficClass(trafficClass);
        byte[] passed = mutant == null ? bytes : mutant.apply(false, bytes);
        if (passed != null) {
            socket.send(new DatagramPacket(passed, passed.length, remote));
        }
    }

    private void read() {
        DatagramPacket datagram = new DatagramPacket(new byte[DATAGRAM_BYTES_MAX], DATAGRAM_BYTES_MAX);
        while (!socket.isClosed()) {
            try {
                socket.receive(datagram);
                byte[] arrived = Arrays.copyOf(datagram.getData(), datagram.getLength());
                byte[] bytes = mutant == null ? arrived : mutant.apply(true, arrived);
                if (bytes == null) {
                    continue;
                }
                InetSocketAddress from = (InetSocketAddress) datagram.getSocketAddress();
                Frame frame = recording.add(false, bytes, from, local, "");
                if (frame.packet != null) {
                    answer(frame.packet);
                }
            } catch (IOException e) {
                if (!socket.isClosed()) {
                    throw new java.io.UncheckedIOException(e);
                }
            }
        }
    }

    private void answer(Packet packet) throws IOException {
        boolean isProbe = packet.name.equals("PROBE");
        boolean isData = Packet.isOperation(packet.name);
        if ((isProbe && answersProbes) || (isData && answersData)) {
            Packet ack = new Packet("ACK");
            synchronized (this) {
                PathAnswers path = paths.computeIfAbsent(
                        packet.number("path-id") << 8 | packet.number("epoch"), any -> new PathAnswers());
                if (isData) {
                    path.onData(packet.number("path-sequence"));
                    csns.set(packet.number("connection-sequence"));
                    nextCsn = csns.nextClearBit(0);
                }
                path.fill(ack);
            }
            ack.fields.put("path-id", packet.get("path-id"));
            ack.fields.put("epoch", packet.get("epoch"));
            ack.fields.put("echoed-timestamp", packet.get("transmit-timestamp"));
            ack.fields.put("echoed-count", isData ? packet.get("transmit-count") : 0L);
            ack.fields.put("next-expected-connection-sequence", (long) nextCsn);
            ack.fields.put("errors-issued", (long) errorsIssued);
            send(fill(ack), "automatic", 2);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        channel.close();
    }
}
