// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import io.metaroce.port.Ecn;
import io.metaroce.port.IpAddress;
import io.metaroce.port.PortException;
import java.nio.ByteOrder;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** One non-blocking UDP socket as it is being set up; at run time only its descriptor is used. */
final class UdpSocket implements AutoCloseable {
    private static final LibC LIB_C = LibCLoader.load();

    private static final int SCRATCH_BYTES = 64;
    private static final int LENGTH_OFFSET = 32;
    private static final int DSCP_SHIFT = 2;

    private final UnsafeBuffer scratch = new UnsafeBuffer(BufferUtil.allocateDirectAligned(SCRATCH_BYTES, 64));
    private final LocalAddress address;
    private final int fd;
    private boolean isClosed;

    /**
     * Opens a socket of the address's family that sets DF and, on a {@code ::} address, takes IPv4 as well.
     *
     * @throws PortException if the system has no descriptor or does not know the family
     */
    UdpSocket(LocalAddress address) {
        this.address = address;
        int domain = address.isIpv6() ? NativeConstants.AF_INET6 : NativeConstants.AF_INET;
        int type = NativeConstants.SOCK_DGRAM | NativeConstants.SOCK_NONBLOCK | NativeConstants.SOCK_CLOEXEC;
        this.fd = LIB_C.socket(domain, type, 0);
        if (fd < 0) {
            int errno = LibCLoader.lastError();
            throw new PortException(
                    "no socket for " + address.text() + ": " + Errno.describe(errno) + cureOfOpen(errno));
        }
        setBoth(
                NativeConstants.IP_MTU_DISCOVER,
                NativeConstants.IPV6_MTU_DISCOVER,
                NativeConstants.PMTUDISC_PROBE,
                "don't fragment"); // MOP-ENC-5
        if (address.isIpv6()) {
            set(NativeConstants.IPPROTO_IPV6, NativeConstants.IPV6_V6ONLY, address.isWildcard() ? 0 : 1);
        }
    }

    int fd() {
        return fd;
    }

    /**
     * Binds to the local address.
     *
     * @return 0, or errno
     */
    int bind(int port) {
        scratch.setMemory(0, SCRATCH_BYTES, (byte) 0);
        boolean isIpv6 = address.isIpv6();
        scratch.putShort(
                NativeLayout.SOCKADDR_FAMILY, (short) (isIpv6 ? NativeConstants.AF_INET6 : NativeConstants.AF_INET));
        scratch.putShort(NativeLayout.SOCKADDR_PORT, (short) port, ByteOrder.BIG_ENDIAN);
        if (isIpv6) {
            scratch.putLong(NativeLayout.SIN6_ADDR, address.high(), ByteOrder.BIG_ENDIAN);
            scratch.putLong(NativeLayout.SIN6_ADDR + Long.BYTES, address.low(), ByteOrder.BIG_ENDIAN);
            scratch.putInt(NativeLayout.SIN6_SCOPE_ID, address.scope());
        } else {
            scratch.putInt(NativeLayout.SIN_ADDR, IpAddress.ipv4(address.low()), ByteOrder.BIG_ENDIAN);
        }
        int length = isIpv6 ? NativeLayout.SOCKADDR_IN6_BYTES : NativeLayout.SOCKADDR_IN_BYTES;
        return LIB_C.bind(fd, scratch.addressOffset(), length) == 0 ? 0 : LibCLoader.lastError();
    }

    /** The UDP port this socket is bound to, 0 if it is not. */
    int boundPort() {
        scratch.setMemory(0, SCRATCH_BYTES, (byte) 0);
        scratch.putInt(LENGTH_OFFSET, LENGTH_OFFSET);
        long base = scratch.addressOffset();
        int rc = LIB_C.getsockname(fd, base, base + LENGTH_OFFSET);
        return rc < 0 ? 0 : scratch.getShort(NativeLayout.SOCKADDR_PORT, ByteOrder.BIG_ENDIAN) & 0xffff;
    }

    /** Every packet of this socket leaves as ECT(0) with this codepoint. */
    void sendAsEct0(int dscp) { // MOP-ENC-12
        setBoth(NativeConstants.IP_TOS, NativeConstants.IPV6_TCLASS, dscp << DSCP_SHIFT | Ecn.ECT_0, "traffic class");
    }

    /** Every received packet comes with its traffic class, the count of those dropped before it, and whether it was in parts. */
    void reportOnReceive() {
        setBoth(NativeConstants.IP_RECVTOS, NativeConstants.IPV6_RECVTCLASS, 1, "report of the traffic class");
        setBoth(NativeConstants.IP_RECVFRAGSIZE, NativeConstants.IPV6_RECVFRAGSIZE, 1, "report of fragments");
        set(NativeConstants.SOL_SOCKET, NativeConstants.SO_RXQ_OVFL, 1);
    }

    /** Whether this kernel knows how to cut one long send into datagrams. */
    boolean knowsSegmentation() {
        scratch.putInt(0, 0);
        scratch.putInt(LENGTH_OFFSET, Integer.BYTES);
        long base = scratch.addressOffset();
        return LIB_C.getsockopt(
                        fd, NativeConstants.IPPROTO_UDP, NativeConstants.UDP_SEGMENT, base, base + LENGTH_OFFSET)
                == 0;
    }

    /** Asks for datagrams of one sender merged, each message with the length of its segments; whether that was granted. */
    boolean mergeOnReceive() {
        return set(NativeConstants.IPPROTO_UDP, NativeConstants.UDP_GRO, 1) == 0;
    }

    /** Takes {@link #mergeOnReceive} back. */
    void doNotMergeOnReceive() {
        set(NativeConstants.IPPROTO_UDP, NativeConstants.UDP_GRO, 0);
    }

    /**
     * Asks for a receive buffer, past the system's limit where we may.
     *
     * @return bytes obtained, as the kernel accounts them: twice what was granted
     */
    int receiveBuffer(long wantedBytes) {
        int wanted = (int) Math.min(wantedBytes, Integer.MAX_VALUE / 2);
        if (set(NativeConstants.SOL_SOCKET, NativeConstants.SO_RCVBUFFORCE, wanted) < 0) {
            set(NativeConstants.SOL_SOCKET, NativeConstants.SO_RCVBUF, wanted);
        }
        return get(NativeConstants.SOL_SOCKET, NativeConstants.SO_RCVBUF);
    }

    /** Sets an option of IPv4 and, on an IPv6 socket, its IPv6 twin: the wildcard carries both families. */
    private void setBoth(int ipv4Option, int ipv6Option, int value, String what) {
        int rc = address.isIpv6() ? set(NativeConstants.IPPROTO_IPV6, ipv6Option, value) : 0;
        if (rc == 0 && (!address.isIpv6() || address.isWildcard())) {
            rc = set(NativeConstants.IPPROTO_IP, ipv4Option, value);
        }
        if (rc < 0) {
            String reason = Errno.describe(LibCLoader.lastError());
            close();
            throw new PortException("this kernel refuses the socket option '" + what + "' (" + reason
                    + "): MOP needs Linux 4.15 or newer");
        }
    }

    private int set(int level, int option, int value) {
        scratch.putInt(0, value);
        return LIB_C.setsockopt(fd, level, option, scratch.addressOffset(), Integer.BYTES);
    }

    private int get(int level, int option) {
        scratch.putInt(0, 0);
        scratch.putInt(LENGTH_OFFSET, Integer.BYTES);
        long base = scratch.addressOffset();
        return LIB_C.getsockopt(fd, level, option, base, base + LENGTH_OFFSET) < 0 ? 0 : scratch.getInt(0);
    }

    private static String cureOfOpen(int errno) {
        if (Errno.EMFILE.is(errno)) {
            return " (raise 'ulimit -n' or ask for fewer source ports)";
        }
        return Errno.EAFNOSUPPORT.is(errno) ? " (this kernel has that IP version switched off: use the other one)" : "";
    }

    /** Once only: a second close would hit whoever got the same number since. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            LIB_C.close(fd);
        }
    }
}
