// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.app;

import io.metaroce.harness.sim.SeededRandom;
import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.Crc32c;
import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.ProbeFlyweight;
import io.metaroce.wire.WriteHeaderFlyweight;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.agrona.concurrent.UnsafeBuffer;

/** A thrower of datagrams at a node that did not ask for them: noise, and packets whose checksum is right. */
final class HostilePackets implements AutoCloseable {
    static final int PAYLOAD_BYTES = 64;
    private static final byte PAYLOAD = 0x5a;
    private static final int PATHS = 8;
    private static final int WRITE_HEADER_BYTES = DataFlyweight.LENGTH + WriteHeaderFlyweight.LENGTH;
    private static final int WRITE_BYTES = WRITE_HEADER_BYTES + PAYLOAD_BYTES;

    /** Where a DATA packet claims to stand: in its path, in the connection, in its stream. */
    record Place(int path, int pathSequence, int connectionSequence, int messageSequence) {}

    /** What a WRITE claims: destination, key, and the length of its message. */
    record Target(long address, int rkey, long messageLength) {}

    final SeededRandom random;
    private final DatagramChannel channel;
    private final SocketAddress victim;
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(2_048);
    private final UnsafeBuffer packet = new UnsafeBuffer(bytes);
    private final Crc32c crc = new Crc32c();
    private int thrown;

    HostilePackets(String address, int victimPort, long seed) throws IOException {
        System.out.println("hostile datagrams from " + address + ", seed " + seed);
        random = new SeededRandom(seed);
        victim = new InetSocketAddress(InetAddress.getLoopbackAddress(), victimPort);
        channel = DatagramChannel.open().bind(new InetSocketAddress(address, 0));
    }

    int thrown() {
        return thrown;
    }

    /** Half noise, half packets of the connection with some bytes changed. */
    void throwAnything(int connectionId) {
        if (random.below(2) == 0) {
            send(noise());
            return;
        }
        int length = switch (random.below(3)) {
            case 0 -> probe(connectionId);
            case 1 -> ack(connectionId);
            default -> write(connectionId, anyPlace(), anyTarget());
        };
        mutate(length);
        send(crc.seal(packet, length));
    }

    void throwWrite(int connectionId, Place place, Target target) {
        send(crc.seal(packet, write(connectionId, place, target)));
    }

    /** A WRITE of which up to three bytes of header have been changed. */
    void throwMutatedWrite(int connectionId, Place place, Target target) {
        int length = write(connectionId, place, target);
        mutate(length);
        send(crc.seal(packet, length));
    }

    private void send(int length) {
        try {
            bytes.limit(length).position(0);
            channel.send(bytes, victim);
            thrown++;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void mutate(int length) {
        for (int changes = 1 + random.below(3); changes > 0; changes--) {
            packet.putByte(random.below(Math.min(length, WRITE_HEADER_BYTES)), (byte) random.nextLong());
        }
    }

    private int noise() {
        int length = 1 + random.below(1_400);
        for (int i = 0; i < length; i++) {
            packet.putByte(i, (byte) random.nextLong());
        }
        return length;
    }

    private Place anyPlace() {
        return new Place(random.below(PATHS), random.below(300), random.below(20_000), random.below(100));
    }

    private Target anyTarget() {
        return new Target(random.nextLong(), (int) random.nextLong(), PAYLOAD_BYTES);
    }

    private int probe(int connectionId) {
        ProbeFlyweight probe = new ProbeFlyweight();
        probe.wrap(packet, 0);
        probe.versionAndType(PacketType.PROBE);
        probe.flags(0);
        probe.pathId(random.below(PATHS));
        probe.epoch(0);
        probe.connectionId(connectionId);
        probe.timestamp((int) random.nextLong());
        probe.paddingLength(0);
        return ProbeFlyweight.LENGTH;
    }

    private int ack(int connectionId) {
        packet.setMemory(0, AckFlyweight.LENGTH + AckFlyweight.SACK_LENGTH, (byte) 0);
        boolean hasSack = random.below(2) == 0;
        AckFlyweight ack = new AckFlyweight();
        ack.wrap(packet, 0);
        ack.versionAndType(PacketType.ACK);
        ack.flags(hasSack ? AckFlyweight.FLAG_SACK : 0);
        ack.pathId(random.below(PATHS));
        ack.connectionId(connectionId);
        ack.nextPathSequence(random.below(300));
        ack.nextConnectionSequence(random.below(20_000));
        if (hasSack) {
            ack.sackWord(random.below(4), random.nextLong());
        }
        return AckFlyweight.LENGTH + (hasSack ? AckFlyweight.SACK_LENGTH : 0);
    }

    private int write(int connectionId, Place place, Target target) {
        DataFlyweight data = new DataFlyweight();
        data.wrap(packet, 0);
        data.versionAndType(PacketType.DATA);
        data.flags(DataFlyweight.FLAG_MESSAGE_END);
        data.pathId(place.path);
        data.epoch(0);
        data.connectionId(connectionId);
        data.pathSequence(place.pathSequence);
        data.connectionSequence(place.connectionSequence);
        data.timestamp((int) random.nextLong());
        data.streamId(0);
        data.opcode(Opcode.WRITE);
        data.backlog(0);
        data.messageSequence(place.messageSequence);
        data.payloadLength(PAYLOAD_BYTES);
        data.transmitCount(1);
        WriteHeaderFlyweight write = new WriteHeaderFlyweight();
        write.wrap(packet, DataFlyweight.LENGTH);
        write.remoteAddress(target.address);
        write.rkey(target.rkey);
        write.messageLength(target.messageLength);
        packet.setMemory(WRITE_HEADER_BYTES, PAYLOAD_BYTES, PAYLOAD);
        return WRITE_BYTES;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
