// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.agrona.DirectBuffer;

/**
 * Writes a capture to a blocking channel, little endian, times in nanoseconds unless asked otherwise. Bytes gather in
 * native memory until {@link #flush}; the channel stays the caller's. Packets cost no allocation. Used by one thread.
 *
 * <pre>{@code
 *   CaptureWriter writer = new CaptureWriter(channel, CaptureFormat.PCAPNG);
 *   int plane0 = writer.addInterface("plane0", 1, 0);
 *   writer.direction(PacketDirection.OUTBOUND).comment("retransmission, trigger SACK");   // of the next packet only
 *   writer.write(plane0, timeNs, frame, 0, length);
 *   writer.flush();
 * }</pre>
 */
public final class CaptureWriter {
    /** Longest packet that is written, in bytes: what {@link CaptureReader} reads back, headers included. */
    public static final int PACKET_BYTES_MAX = CaptureReader.RECORD_BYTES_MAX - 256 * 1024;

    /** Longest comment in bytes of UTF-8; the rest is cut off. */
    public static final int COMMENT_BYTES_MAX = 4096;

    private static final int BUFFER_BYTES = 256 << 10;
    private static final int SNAP_LENGTH_DEFAULT = 256 << 10;

    private final WritableByteChannel channel;
    private final CaptureEncoder encoder;
    private final CaptureFormat format;
    private final ByteBuffer comment = ByteBuffer.allocateDirect(COMMENT_BYTES_MAX);
    private PacketDirection direction = PacketDirection.UNKNOWN;
    private long originalLength = -1;
    private int interfaces;

    /**
     * @param channel blocking
     * @param format any but {@link CaptureFormat#UNKNOWN}
     */
    public CaptureWriter(WritableByteChannel channel, CaptureFormat format) {
        if (format == CaptureFormat.UNKNOWN) {
            throw new IllegalArgumentException("a capture is written as pcap or pcapng");
        }
        this.channel = channel;
        this.format = format;
        this.encoder = new CaptureEncoder(BUFFER_BYTES);
        comment.limit(0);
    }

    /**
     * Describes an interface; before the first packet of it. pcap holds exactly one, and does not keep its name.
     *
     * @param linkType number of the link-layer header type, 0 to 65,535
     * @param snapLengthBytes bytes kept of each packet by whoever captured; 0 if all
     * @return the number to write its packets with
     */
    public int addInterface(String name, int linkType, int snapLengthBytes) throws IOException {
        if (linkType < 0 || linkType > 0xffff || snapLengthBytes < 0) {
            throw new IllegalArgumentException("link type " + linkType + ", snap length " + snapLengthBytes);
        }
        if (format == CaptureFormat.PCAPNG) {
            makeRoom(CaptureEncoder.INTERFACE_BYTES_MAX);
            if (interfaces == 0) {
                encoder.section();
            }
            encoder.describe(name, linkType, snapLengthBytes);
        } else {
            if (interfaces > 0) {
                throw new IllegalStateException("pcap holds one interface; pcapng holds several");
            }
            makeRoom(CaptureEncoder.INTERFACE_BYTES_MAX);
            int snapLength = snapLengthBytes == 0 ? SNAP_LENGTH_DEFAULT : snapLengthBytes;
            encoder.fileHeader(format == CaptureFormat.PCAP_NANO, linkType, snapLength);
        }
        return interfaces++;
    }

    /** The way the next packet goes; pcapng only, ignored otherwise. */
    public CaptureWriter direction(PacketDirection of) {
        direction = of;
        return this;
    }

    /** A remark on the next packet, cut at {@link #COMMENT_BYTES_MAX}; pcapng only, ignored otherwise. */
    public CaptureWriter comment(CharSequence text) {
        comment.clear();
        Utf8.encode(text, comment);
        comment.flip();
        return this;
    }

    /** Bytes the next packet had before it was cut; without it, as many as are written. */
    public CaptureWriter originalLength(long bytes) {
        originalLength = bytes;
        return this;
    }

    /**
     * Writes one packet with what was said of it before.
     *
     * @param timeNs nanoseconds since 1970, from 0; pcap holds times before 2106
     * @param length bytes, 0 to {@link #PACKET_BYTES_MAX}
     */
    public void write(int interfaceIndex, long timeNs, DirectBuffer packet, int offset, int length) throws IOException {
        if (interfaceIndex < 0 || interfaceIndex >= interfaces || timeNs < 0) {
            throw new IllegalArgumentException(
                    "interface " + interfaceIndex + " of " + interfaces + ", time " + timeNs);
        }
        if (length < 0 || length > PACKET_BYTES_MAX) {
            throw new IllegalArgumentException("packet of " + length + " bytes");
        }
        long original = originalLength < 0 ? length : originalLength;
        makeRoom(CaptureEncoder.PACKET_HEADER_BYTES_MAX);
        if (format == CaptureFormat.PCAPNG) {
            encoder.optionsOf(direction, comment);
            encoder.enhancedHeader(interfaceIndex, timeNs, length, original);
            body(packet, offset, length);
            makeRoom(CaptureEncoder.PACKET_TRAILER_BYTES_MAX);
            encoder.enhancedTrailer(length);
        } else {
            encoder.recordHeader(format == CaptureFormat.PCAP_NANO, timeNs, length, original);
            body(packet, offset, length);
        }
        comment.position(0).limit(0);
        direction = PacketDirection.UNKNOWN;
        originalLength = -1;
    }

    /** Hands everything gathered to the channel. */
    public void flush() throws IOException {
        encoder.drainTo(channel);
    }

    private void body(DirectBuffer packet, int offset, int length) throws IOException {
        int done = 0;
        while (done < length) {
            int copied = encoder.copy(packet, offset + done, length - done);
            done += copied;
            if (done < length) {
                flush();
            }
        }
    }

    private void makeRoom(int bytes) throws IOException {
        if (encoder.room() < bytes) {
            flush();
        }
    }
}
