// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wrap;

import io.metaroce.port.PacketBurst;
import io.metaroce.port.PacketClassifier;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A faulty port over a {@link MemoryPort}, with numbered packets and a clock turned by hand. A packet is its number (4 bytes),
 * its path (1), whether it is data (1), and a pattern.
 */
final class FaultBench implements AutoCloseable {
    static final int SLOTS = 1024;
    static final int LENGTH = 64;

    private static final int PATH_AT = 4;
    private static final int DATA_AT = 5;

    static final PacketClassifier CLASSIFIER = new PacketClassifier() {
        @Override
        public int pathId(UnsafeBuffer packet) {
            return packet.getByte(PATH_AT) & 0xff;
        }

        @Override
        public boolean isData(UnsafeBuffer packet) {
            return packet.getByte(DATA_AT) != 0;
        }
    };

    final MemoryPort memory = new MemoryPort(SLOTS);
    final FaultControl control;
    final FaultyPort port;
    long nowNs = 1_000;

    private final PacketBurst burst = new PacketBurst(32);
    private final PacketBurst inbound = new PacketBurst(32);
    private final UnsafeBuffer packet = new UnsafeBuffer(0, 0);
    private int next;

    FaultBench(String plan) {
        this.control = new FaultControl(FaultPlan.parse(plan));
        this.port = new FaultyPort(memory, control, CLASSIFIER, () -> nowNs);
    }

    /** Offers packets of one path until all are accepted. */
    void send(int count, int path, boolean isData) {
        int left = count;
        while (left > 0) {
            int granted = port.allocate(burst, Math.min(left, burst.capacity()));
            for (int i = 0; i < granted; i++) {
                write(i, path, isData);
            }
            for (int tries = 0; !burst.isEmpty() && tries < 1_000; tries++) {
                burst.discardFirst(port.transmit(burst));
            }
            left -= granted;
        }
    }

    /** Offers one burst once; what is not accepted is released and its numbers are used again. */
    int offer(int count) {
        port.allocate(burst, count);
        for (int i = 0; i < burst.size(); i++) {
            write(i, 0, true);
        }
        int accepted = port.transmit(burst);
        next -= burst.size() - accepted;
        burst.discardFirst(accepted);
        port.release(burst);
        return accepted;
    }

    private void write(int i, int path, boolean isData) {
        burst.length(i, LENGTH);
        burst.localPort(i, 50_000 + path);
        burst.remotePort(i, 4795);
        burst.scope(i, 0);
        burst.flags(i, 2);
        burst.address(i, 0, 1);
        burst.frame(i, packet);
        for (int at = 0; at < LENGTH; at++) {
            packet.putByte(at, (byte) at);
        }
        packet.putInt(0, next++);
        packet.putByte(PATH_AT, (byte) path);
        packet.putByte(DATA_AT, (byte) (isData ? 1 : 0));
    }

    /** One receive call; the numbers that came. */
    List<Integer> poll() {
        List<Integer> numbers = new ArrayList<>();
        port.receive(inbound);
        for (int i = 0; i < inbound.size(); i++) {
            inbound.frame(i, packet);
            numbers.add(packet.getInt(0));
        }
        port.release(inbound);
        return numbers;
    }

    /** Receives until nothing has come for longer than faults may hold anything back for want of traffic. */
    List<Integer> drain() {
        List<Integer> numbers = new ArrayList<>();
        for (int idle = 0; idle < 3 * TransmitFaults.IDLE_TURNS; idle++) {
            List<Integer> some = poll();
            numbers.addAll(some);
            idle = some.isEmpty() ? idle : 0;
        }
        return numbers;
    }

    /** Bits by which the packets received differ from those sent, one entry per packet. */
    List<Integer> drainBitErrors() {
        List<Integer> errors = new ArrayList<>();
        for (int idle = 0; idle < 3 * TransmitFaults.IDLE_TURNS; idle++) {
            port.receive(inbound);
            idle = inbound.isEmpty() ? idle : 0;
            for (int i = 0; i < inbound.size(); i++) {
                inbound.frame(i, packet);
                int bits = 0;
                for (int at = 6; at < LENGTH; at++) {
                    bits += Integer.bitCount((packet.getByte(at) ^ at) & 0xff);
                }
                errors.add(bits);
            }
            port.release(inbound);
        }
        return errors;
    }

    /** One burst through the port and back, without any object: for the allocation test. */
    void turn() {
        int granted = port.allocate(burst, burst.capacity());
        for (int i = 0; i < granted; i++) {
            write(i, i, (i & 1) == 0);
        }
        burst.discardFirst(port.transmit(burst));
        port.release(burst);
        nowNs += 1_000;
        port.receive(inbound);
        port.release(inbound);
    }

    long count(FaultCounter counter) {
        return port.faults().get(counter);
    }

    @Override
    public void close() {
        port.close();
    }
}
