// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One packet of a capture: a view over the reader's memory, filled by {@link CaptureReader#next} and valid until the
 * next call. Reused for every packet, so that reading allocates nothing.
 */
public final class PacketRecord {
    private static final int OPTION_COMMENT = 1;

    private final UnsafeBuffer data = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer options = new UnsafeBuffer(0, 0);
    private ByteOrder optionsOrder = ByteOrder.LITTLE_ENDIAN;
    private long number;
    private long timeNs;
    private boolean hasTime;
    private int interfaceIndex;
    private int linkType;
    private int frameCheckBytes;
    private long originalLength;
    private long droppedPackets;
    private PacketDirection direction = PacketDirection.UNKNOWN;

    /** The captured bytes, {@link #capturedLength} of them, off the heap; not to be written. */
    public UnsafeBuffer data() {
        return data;
    }

    /** Bytes captured. */
    public int capturedLength() {
        return data.capacity();
    }

    /** Bytes the packet had, as the capture states it: below {@link #capturedLength} in careless captures. */
    public long originalLength() {
        return originalLength;
    }

    /** Whether the snap length cut bytes off. */
    public boolean isTruncated() {
        return data.capacity() < originalLength;
    }

    /** Place in the capture, from 1. */
    public long number() {
        return number;
    }

    /** Nanoseconds since 1970; 0 without {@link #hasTime}. */
    public long timeNs() {
        return timeNs;
    }

    /** Whether the capture states a time; pcapng's simple packets have none. */
    public boolean hasTime() {
        return hasTime;
    }

    /** Which interface of the whole file, for {@link CaptureReader#interfaceAt}. */
    public int interfaceIndex() {
        return interfaceIndex;
    }

    /** Number of the link-layer header type. */
    public int linkType() {
        return linkType;
    }

    /** Bytes of frame check sequence at the end of the original packet, 0 when not stated. */
    public int frameCheckBytes() {
        return frameCheckBytes;
    }

    public PacketDirection direction() {
        return direction;
    }

    /** Packets lost by the capturing side since the packet before, 0 when not stated. */
    public long droppedPackets() {
        return droppedPackets;
    }

    /** How many comments the packet carries. */
    public int commentCount() {
        int count = 0;
        for (int at = firstComment(0); at >= 0; at = firstComment(after(at))) {
            count++;
        }
        return count;
    }

    /**
     * A comment, as text; the only thing here that allocates.
     *
     * @param index {@code 0..commentCount() - 1}
     */
    public String comment(int index) {
        int at = firstComment(0);
        for (int i = 0; i < index && at >= 0; i++) {
            at = firstComment(after(at));
        }
        if (at < 0) {
            throw new IndexOutOfBoundsException("comment " + index + " of " + commentCount());
        }
        byte[] text = new byte[PcapngOptions.length(options, at, optionsOrder)];
        options.getBytes(at + PcapngOptions.HEADER_BYTES, text);
        return new String(text, StandardCharsets.UTF_8);
    }

    private int firstComment(int from) {
        return PcapngOptions.find(options, from, optionsOrder, OPTION_COMMENT);
    }

    private int after(int at) {
        return PcapngOptions.next(options, at, optionsOrder);
    }

    void begin(long number, int interfaceIndex, CaptureInterface described) {
        this.number = number;
        this.interfaceIndex = interfaceIndex;
        this.linkType = described.linkType();
        this.frameCheckBytes = described.frameCheckBytes();
        this.hasTime = false;
        this.timeNs = 0;
        this.direction = PacketDirection.UNKNOWN;
        this.droppedPackets = 0;
        this.options.wrap(0, 0);
    }

    void time(long timeNs) {
        this.hasTime = true;
        this.timeNs = timeNs;
    }

    void data(ByteBuffer window, int offset, int length, long originalLength) {
        this.data.wrap(window, offset, length);
        this.originalLength = originalLength;
    }

    void options(ByteBuffer window, int offset, int length, ByteOrder order) {
        this.options.wrap(window, offset, length);
        this.optionsOrder = order;
    }

    void flags(int flags) {
        direction = PacketDirection.of(flags);
        int stated = (flags >>> 5) & 0xf;
        frameCheckBytes = stated == 0 ? frameCheckBytes : stated;
    }

    void droppedPackets(long count) {
        droppedPackets = count;
    }
}
