// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import static io.metaroce.socket.NativeLayout.*;

import io.metaroce.port.IpAddress;
import io.metaroce.port.PacketBurst;
import java.nio.ByteOrder;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The argument block of recvmmsg and sendmmsg, built once. Every header points at its own iovec, address and control area
 * for good, so that a packet costs a few stores. Only a sender moves a header to other iovecs: to a run of them, when the
 * kernel is to cut one message into datagrams.
 *
 * <pre>
 *   | mmsghdr[count] 64 B each | iovec[count] 16 B | sockaddr[count] 32 B | control[count] 128 B, sending 32 B |
 *        header i  ------------->  iovec i  ------> packet bytes, set per packet
 *                  ------------------------------->  sockaddr i
 *                  ------------------------------------------------------>  control i
 * </pre>
 */
final class MessageVector {
    /** Room for the traffic class, the drop count, the fragment and the segment size: 24 bytes each, and one to spare. */
    static final int CONTROL_BYTES = 128;
    /** Room for the segment size. */
    static final int SEND_CONTROL_BYTES = 32;

    private static final int SEGMENT_CMSG_LEN = CMSGHDR_BYTES + Short.BYTES;
    private static final int SEGMENT_CMSG_SPACE = CMSGHDR_BYTES + CMSG_ALIGNMENT;

    private static final int NAME_BYTES = 32;
    private static final int ALIGNMENT = 64;

    /** Control messages looked at in one packet; the kernel was asked for four kinds. */
    private static final int CONTROL_MESSAGES_MAX = 5;

    private final UnsafeBuffer block;
    private final int count;
    private final boolean isIpv6;
    private final int iovecs;
    private final int names;
    private final int controls;
    private final int controlBytes;

    private boolean isFragmented;
    private int trafficClass;
    private int dropCount;
    private int segmentBytes;

    /**
     * @param count messages, at most {@link PacketBurst#CAPACITY_MAX}
     * @param isIpv6 family of the socket's addresses
     * @param controlBytes {@link #CONTROL_BYTES} for receiving, {@link #SEND_CONTROL_BYTES} for sending
     */
    MessageVector(int count, boolean isIpv6, int controlBytes) {
        this.count = count;
        this.isIpv6 = isIpv6;
        this.controlBytes = controlBytes;
        this.iovecs = count * MMSGHDR_BYTES;
        this.names = iovecs + count * IOVEC_BYTES;
        this.controls = names + count * NAME_BYTES;
        this.block = new UnsafeBuffer(BufferUtil.allocateDirectAligned(controls + count * controlBytes, ALIGNMENT));
        for (int i = 0; i < count; i++) {
            link(i);
        }
    }

    private void link(int i) {
        int header = i * MMSGHDR_BYTES;
        long base = block.addressOffset();
        block.putLong(header + MSG_NAME, base + names + (long) i * NAME_BYTES);
        block.putLong(header + MSG_IOV, base + iovecs + (long) i * IOVEC_BYTES);
        block.putLong(header + MSG_IOVLEN, 1);
        block.putLong(header + MSG_CONTROL, controlBytes == 0 ? 0 : base + controls + (long) i * controlBytes);
        block.putShort(names + i * NAME_BYTES + SOCKADDR_FAMILY, (short)
                (isIpv6 ? NativeConstants.AF_INET6 : NativeConstants.AF_INET));
        rearm(i);
    }

    int count() {
        return count;
    }

    /** Address of header {@code i}, for the native call. */
    long address(int i) {
        return block.addressOffset() + (long) i * MMSGHDR_BYTES;
    }

    /** Points message {@code i} at its bytes. */
    void data(int i, long address, int length) {
        block.putLong(iovecs + i * IOVEC_BYTES + IOV_BASE, address);
        block.putLong(iovecs + i * IOVEC_BYTES + IOV_LEN, length);
    }

    /**
     * Makes message {@code i} of a sender carry {@code packets} packets, whose bytes {@link #data} has set from place
     * {@code first} on. More than one are one message that the kernel cuts after every {@code segmentBytes}.
     */
    void gather(int i, int first, int packets, int segmentBytes) {
        int header = i * MMSGHDR_BYTES;
        block.putLong(header + MSG_IOV, block.addressOffset() + iovecs + (long) first * IOVEC_BYTES);
        block.putLong(header + MSG_IOVLEN, packets);
        block.putLong(header + MSG_CONTROLLEN, packets == 1 ? 0 : SEGMENT_CMSG_SPACE);
        if (packets > 1) {
            int control = controls + i * controlBytes;
            block.putLong(control + CMSG_LEN, SEGMENT_CMSG_LEN);
            block.putInt(control + CMSG_LEVEL, NativeConstants.IPPROTO_UDP);
            block.putInt(control + CMSG_TYPE, NativeConstants.UDP_SEGMENT);
            block.putShort(control + CMSGHDR_BYTES, (short) segmentBytes);
        }
    }

    /** Restores what the kernel overwrote in a received message. */
    void rearm(int i) {
        int header = i * MMSGHDR_BYTES;
        block.putInt(header + MSG_NAMELEN, isIpv6 ? SOCKADDR_IN6_BYTES : SOCKADDR_IN_BYTES);
        block.putLong(header + MSG_CONTROLLEN, controlBytes);
        block.putInt(header + MSG_FLAGS, 0);
    }

    int length(int i) {
        return block.getInt(i * MMSGHDR_BYTES + MSG_LEN);
    }

    boolean isTruncated(int i) {
        return (block.getInt(i * MMSGHDR_BYTES + MSG_FLAGS) & NativeConstants.MSG_TRUNC) != 0;
    }

    /** Writes the destination of message {@code i}: address, port and scope of a descriptor. */
    void destination(int i, PacketBurst burst, int descriptor) {
        int name = names + i * NAME_BYTES;
        block.putShort(name + SOCKADDR_PORT, (short) burst.remotePort(descriptor), ByteOrder.BIG_ENDIAN);
        if (isIpv6) {
            block.putLong(name + SIN6_ADDR, burst.addressHigh(descriptor), ByteOrder.BIG_ENDIAN);
            block.putLong(name + SIN6_ADDR + Long.BYTES, burst.addressLow(descriptor), ByteOrder.BIG_ENDIAN);
            block.putInt(name + SIN6_SCOPE_ID, burst.scope(descriptor));
        } else {
            block.putInt(name + SIN_ADDR, IpAddress.ipv4(burst.addressLow(descriptor)), ByteOrder.BIG_ENDIAN);
        }
    }

    /** Reads the source of message {@code i} into a descriptor. */
    void source(int i, PacketBurst burst, int descriptor) {
        int name = names + i * NAME_BYTES;
        burst.remotePort(descriptor, block.getShort(name + SOCKADDR_PORT, ByteOrder.BIG_ENDIAN) & 0xffff);
        if (isIpv6) {
            burst.address(
                    descriptor,
                    block.getLong(name + SIN6_ADDR, ByteOrder.BIG_ENDIAN),
                    block.getLong(name + SIN6_ADDR + Long.BYTES, ByteOrder.BIG_ENDIAN));
            burst.scope(descriptor, block.getInt(name + SIN6_SCOPE_ID));
        } else {
            burst.address(descriptor, 0, IpAddress.mapped(block.getInt(name + SIN_ADDR, ByteOrder.BIG_ENDIAN)));
            burst.scope(descriptor, 0);
        }
    }

    /**
     * Reads the control messages of message {@code i}; then {@link #trafficClass}, {@link #dropCount},
     * {@link #segmentBytes} and {@link #isFragmented} speak of it.
     *
     * @param lastDropCount what {@link #dropCount} is to say when the kernel reports no drops
     */
    void readControl(int i, int lastDropCount) {
        isFragmented = false;
        trafficClass = 0;
        dropCount = lastDropCount;
        segmentBytes = 0;
        int at = controls + i * controlBytes;
        int end = at + (int) Math.min(controlBytes, block.getLong(i * MMSGHDR_BYTES + MSG_CONTROLLEN));
        for (int n = 0; n < CONTROL_MESSAGES_MAX && at + CMSGHDR_BYTES <= end; n++) {
            int length = (int) block.getLong(at + CMSG_LEN);
            if (length < CMSGHDR_BYTES || length > end - at) {
                return;
            }
            readControlMessage(at);
            at += BitUtil.align(length, CMSG_ALIGNMENT);
        }
    }

    private void readControlMessage(int at) {
        int level = block.getInt(at + CMSG_LEVEL);
        int type = block.getInt(at + CMSG_TYPE);
        int data = at + CMSGHDR_BYTES;
        if (level == NativeConstants.IPPROTO_IP && type == NativeConstants.IP_TOS) {
            trafficClass = block.getByte(data) & 0xff;
        } else if (level == NativeConstants.IPPROTO_IPV6 && type == NativeConstants.IPV6_TCLASS) {
            trafficClass = block.getInt(data);
        } else if (level == NativeConstants.SOL_SOCKET && type == NativeConstants.SO_RXQ_OVFL) {
            dropCount = block.getInt(data);
        } else if (level == NativeConstants.IPPROTO_UDP && type == NativeConstants.UDP_GRO) {
            segmentBytes = block.getInt(data);
        } else if ((level == NativeConstants.IPPROTO_IP && type == NativeConstants.IP_RECVFRAGSIZE)
                || (level == NativeConstants.IPPROTO_IPV6 && type == NativeConstants.IPV6_RECVFRAGSIZE)) {
            isFragmented = true; // The kernel reports a size only of what it has put together.
        }
    }

    /** The IPv4 type of service or IPv6 traffic class of the message read last. */
    int trafficClass() {
        return trafficClass;
    }

    /** Length of the datagrams that the message read last was merged from, the last of them may be shorter; 0 if it is one. */
    int segmentBytes() {
        return segmentBytes;
    }

    /** Whether the message read last came in fragments. */
    boolean isFragmented() {
        return isFragmented;
    }

    /** Packets the kernel has dropped at this socket in all, 32 bits, as known when that message was queued. */
    int dropCount() {
        return dropCount;
    }
}
