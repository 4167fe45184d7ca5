// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import io.metaroce.port.Ecn;
import io.metaroce.port.Framing;
import io.metaroce.port.IpAddress;
import io.metaroce.port.PacketBurst;
import io.metaroce.port.PacketPort;
import io.metaroce.port.PortCapabilities;
import io.metaroce.port.PortCounter;
import java.util.function.IntPredicate;
import org.agrona.UnsafeApi;
import org.jspecify.annotations.Nullable;

/**
 * One end of a plane in memory: what is transmitted here is received there, buffers and all. Never allocates after
 * construction. The fields in capitals of a real device can be turned: how much it takes, whether its link is up, what it
 * loses.
 */
final class JoinedPort implements PacketPort {
    static final int UDP_PORT = 4795;
    static final int SOURCE_PORTS = 16;
    private static final int FIRST_SOURCE_PORT = 50_000;
    private static final int FRAME_BYTES = 4_096 + 128;

    /** The buffers of both ends; handles go back and forth with the packets. */
    private static final class Pool {
        final long memory;
        final int[] free;
        int freeCount;

        Pool(int buffers) {
            memory = UnsafeApi.allocateMemory((long) buffers * FRAME_BYTES);
            free = new int[buffers];
            for (int i = 0; i < buffers; i++) {
                free[freeCount++] = i;
            }
        }
    }

    private final Pool pool;
    private final long address;
    private final int[] arrivedHandle;
    private final int[] arrivedLength;
    private final int[] arrivedFlags;
    private final int[] arrivedFrom;
    private int arrivedHead;
    private int arrivedCount;
    private JoinedPort peer;

    /** Thrown by the next receive, as a programming error would be. */
    @Nullable
    RuntimeException failure;

    boolean isUp = true;
    boolean isClosed;
    int transmitMax = Integer.MAX_VALUE;
    int buffersMax = Integer.MAX_VALUE;
    IntPredicate loses = packet -> false;
    int transmitted;
    int lastLocalPort;
    int lastFlags;

    private JoinedPort(Pool pool, int ipv4) {
        this.pool = pool;
        this.address = IpAddress.mapped(ipv4);
        this.peer = this;
        this.arrivedHandle = new int[pool.free.length];
        this.arrivedLength = new int[pool.free.length];
        this.arrivedFlags = new int[pool.free.length];
        this.arrivedFrom = new int[pool.free.length];
    }

    /** Two ends of a plane. */
    static JoinedPort[] pair(int plane, int buffers) {
        Pool pool = new Pool(buffers);
        JoinedPort left = new JoinedPort(pool, 0x0a00_0001 + (plane << 8));
        JoinedPort right = new JoinedPort(pool, 0x0a00_0002 + (plane << 8));
        left.peer = right;
        right.peer = left;
        return new JoinedPort[] {left, right};
    }

    long addressLow() {
        return address;
    }

    /** Buffers that neither a lane nor the wire holds. */
    int freeBuffers() {
        return pool.freeCount;
    }

    /** Puts bytes onto the wire as if a stranger had sent them. */
    void inject(byte[] packet) {
        int handle = pool.free[--pool.freeCount];
        for (int i = 0; i < packet.length; i++) {
            UnsafeApi.putByte(memoryOf(handle) + i, packet[i]);
        }
        arrive(handle, packet.length, Ecn.NOT_ECT, 1);
    }

    @Override
    public PortCapabilities capabilities() {
        return new PortCapabilities(Framing.DATAGRAM, FRAME_BYTES, 8 << 20, 8, SOURCE_PORTS, true, "joined in memory");
    }

    @Override
    public int sourcePort(int index) {
        return FIRST_SOURCE_PORT + index;
    }

    @Override
    public int receive(PacketBurst burst) {
        if (failure != null) {
            throw failure;
        }
        assert burst.isEmpty() && !isClosed;
        int count = Math.min(arrivedCount, burst.capacity());
        for (int i = 0; i < count; i++) {
            burst.handle(i, arrivedHandle[arrivedHead]);
            burst.data(i, memoryOf(arrivedHandle[arrivedHead]));
            burst.length(i, arrivedLength[arrivedHead]);
            burst.flags(i, arrivedFlags[arrivedHead]);
            burst.address(i, 0, peer.address);
            burst.remotePort(i, arrivedFrom[arrivedHead]);
            burst.localPort(i, UDP_PORT);
            burst.scope(i, 0);
            arrivedHead = (arrivedHead + 1) % arrivedHandle.length;
        }
        arrivedCount -= count;
        burst.size(count);
        return count;
    }

    @Override
    public int allocate(PacketBurst burst, int count) {
        assert burst.isEmpty() && !isClosed;
        int granted = Math.min(Math.min(count, buffersMax), pool.freeCount);
        for (int i = 0; i < granted; i++) {
            int handle = pool.free[--pool.freeCount];
            burst.handle(i, handle);
            burst.data(i, memoryOf(handle));
        }
        burst.size(granted);
        return granted;
    }

    @Override
    public int transmit(PacketBurst burst) {
        assert !isClosed;
        int taken = Math.min(burst.size(), transmitMax);
        for (int i = 0; i < taken; i++) {
            int handle = (int) burst.handle(i);
            assert burst.addressLow(i) == peer.address && burst.remotePort(i) == UDP_PORT;
            lastLocalPort = burst.localPort(i);
            lastFlags = burst.flags(i);
            if (loses.test(transmitted++)) {
                pool.free[pool.freeCount++] = handle;
            } else {
                peer.arrive(handle, burst.length(i), burst.flags(i), burst.localPort(i));
            }
        }
        return taken;
    }

    private void arrive(int handle, int length, int flags, int fromPort) {
        int place = (arrivedHead + arrivedCount) % arrivedHandle.length;
        arrivedHandle[place] = handle;
        arrivedLength[place] = length;
        arrivedFlags[place] = flags;
        arrivedFrom[place] = fromPort;
        arrivedCount++;
    }

    private long memoryOf(int handle) {
        return pool.memory + (long) handle * FRAME_BYTES;
    }

    @Override
    public void release(PacketBurst burst) {
        assert !isClosed;
        for (int i = 0; i < burst.size(); i++) {
            pool.free[pool.freeCount++] = (int) burst.handle(i);
        }
        burst.size(0);
    }

    @Override
    public boolean linkIsUp() {
        return isUp;
    }

    @Override
    public long counter(PortCounter counter) {
        return 0;
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
