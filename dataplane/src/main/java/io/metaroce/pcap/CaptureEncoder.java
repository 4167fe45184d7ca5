// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/** Lays out the headers of both formats in one native buffer; the layouts are drawn at the reading classes. */
final class CaptureEncoder {
    static final int INTERFACE_BYTES_MAX = 512;
    static final int PACKET_HEADER_BYTES_MAX = 64;
    static final int PACKET_TRAILER_BYTES_MAX = CaptureWriter.COMMENT_BYTES_MAX + 64;

    private static final int MAGIC_MICRO = 0xa1b2c3d4;
    private static final int MAGIC_NANO = 0xa1b23c4d;
    private static final int SECTION_HEADER = 0x0a0d0d0a;
    private static final int SECTION_BYTES = 28;
    private static final int INTERFACE_FIXED_BYTES = 20;
    private static final int ENHANCED_FIXED_BYTES = 32;
    private static final int OPTION_HEADER_BYTES = 4;
    private static final int OPTION_COMMENT = 1;
    private static final int OPTION_FLAGS = 2;
    private static final int NS_PER_MICROSECOND = 1000;
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final ByteBuffer buffer;
    private ByteBuffer comment;
    private PacketDirection direction = PacketDirection.UNKNOWN;
    private int optionsBytes;

    CaptureEncoder(int capacity) {
        buffer = ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
        comment = buffer;
    }

    int room() {
        return buffer.remaining();
    }

    /** Copies as much as there is room for, and says how much that was. */
    int copy(DirectBuffer from, int offset, int length) {
        int count = Math.min(length, buffer.remaining());
        from.getBytes(offset, buffer, count);
        return count;
    }

    void drainTo(WritableByteChannel channel) throws IOException {
        buffer.flip();
        // A blocking channel takes at least one byte each turn.
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }

    void fileHeader(boolean isNano, int linkType, int snapLength) {
        buffer.putInt(isNano ? MAGIC_NANO : MAGIC_MICRO);
        buffer.putShort((short) 2).putShort((short) 4).putInt(0).putInt(0);
        buffer.putInt(snapLength).putInt(linkType);
    }

    void recordHeader(boolean isNano, long timeNs, int length, long original) {
        int ns = (int) (timeNs % NS_PER_SECOND);
        buffer.putInt((int) (timeNs / NS_PER_SECOND)).putInt(isNano ? ns : ns / NS_PER_MICROSECOND);
        buffer.putInt(length).putInt((int) original);
    }

    void section() {
        buffer.putInt(SECTION_HEADER).putInt(SECTION_BYTES).putInt(0x1a2b3c4d);
        buffer.putShort((short) 1).putShort((short) 0).putLong(-1).putInt(SECTION_BYTES);
    }

    void describe(String name, int linkType, int snapLength) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        byte[] kept = Arrays.copyOf(text, Math.min(text.length, CaptureInterface.NAME_BYTES_MAX));
        int nameBytes = kept.length == 0 ? 0 : OPTION_HEADER_BYTES + padded(kept.length);
        int total = INTERFACE_FIXED_BYTES + nameBytes + 2 * OPTION_HEADER_BYTES + OPTION_HEADER_BYTES;
        buffer.putInt(1)
                .putInt(total)
                .putShort((short) linkType)
                .putShort((short) 0)
                .putInt(snapLength);
        if (nameBytes > 0) {
            option(PcapngInterface.OPTION_NAME, kept.length);
            buffer.put(kept);
            pad(kept.length);
        }
        option(PcapngInterface.OPTION_RESOLUTION, 1);
        buffer.put((byte) CaptureTime.NANOSECONDS);
        pad(1);
        option(0, 0);
        buffer.putInt(total);
    }

    /** Fixes the options of the packet that is laid out next; the block's length depends on them. */
    void optionsOf(PacketDirection way, ByteBuffer remark) {
        direction = way;
        comment = remark;
        int commentBytes = remark.hasRemaining() ? OPTION_HEADER_BYTES + padded(remark.remaining()) : 0;
        int flagBytes = way == PacketDirection.UNKNOWN ? 0 : OPTION_HEADER_BYTES + Integer.BYTES;
        optionsBytes = commentBytes + flagBytes == 0 ? 0 : commentBytes + flagBytes + OPTION_HEADER_BYTES;
    }

    void enhancedHeader(int interfaceIndex, long timeNs, int length, long original) {
        buffer.putInt(6).putInt(totalBytes(length)).putInt(interfaceIndex);
        buffer.putInt((int) (timeNs >>> Integer.SIZE)).putInt((int) timeNs);
        buffer.putInt(length).putInt((int) original);
    }

    void enhancedTrailer(int length) {
        pad(length);
        if (optionsBytes > 0) {
            int commentBytes = comment.remaining();
            if (commentBytes > 0) {
                option(OPTION_COMMENT, commentBytes);
                buffer.put(comment);
                pad(commentBytes);
            }
            if (direction != PacketDirection.UNKNOWN) {
                option(OPTION_FLAGS, Integer.BYTES);
                buffer.putInt(direction == PacketDirection.INBOUND ? 1 : 2);
            }
            option(0, 0);
        }
        buffer.putInt(totalBytes(length));
    }

    private int totalBytes(int length) {
        return ENHANCED_FIXED_BYTES + padded(length) + optionsBytes;
    }

    private void option(int code, int length) {
        buffer.putShort((short) code).putShort((short) length);
    }

    private void pad(int length) {
        for (int i = length; i < padded(length); i++) {
            buffer.put((byte) 0);
        }
    }

    private static int padded(int length) {
        return (length + 3) & ~3;
    }
}
