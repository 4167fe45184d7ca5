// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Lays captures out byte by byte, in either byte order, independently of the writer under test. */
final class CaptureBytes {
    static final int MICRO = 0xa1b2c3d4;
    static final int NANO = 0xa1b23c4d;

    private final ByteBuffer bytes = ByteBuffer.allocate(1 << 20);

    CaptureBytes(ByteOrder order) {
        bytes.order(order);
    }

    CaptureBytes order(ByteOrder order) {
        bytes.order(order);
        return this;
    }

    CaptureBytes u8(int... values) {
        for (int value : values) {
            bytes.put((byte) value);
        }
        return this;
    }

    CaptureBytes u16(int... values) {
        for (int value : values) {
            bytes.putShort((short) value);
        }
        return this;
    }

    CaptureBytes u32(long... values) {
        for (long value : values) {
            bytes.putInt((int) value);
        }
        return this;
    }

    CaptureBytes raw(byte... values) {
        bytes.put(values);
        return this;
    }

    CaptureBytes pcapHeader(int magic, long snapLength, int linkType) {
        return u32(magic).u16(2, 4).u32(0, 0, snapLength, linkType);
    }

    CaptureBytes pcapRecord(long seconds, long fraction, long original, byte... data) {
        return u32(seconds, fraction, data.length, original).raw(data);
    }

    CaptureBytes section() {
        return block(
                0x0a0d0d0a,
                new CaptureBytes(bytes.order()).u32(0x1a2b3c4d).u16(1, 0).u32(-1, -1));
    }

    CaptureBytes describe(int linkType, long snapLength, CaptureBytes options) {
        return block(1, body().u16(linkType, 0).u32(snapLength).raw(options.toArray()));
    }

    CaptureBytes enhanced(int interfaceIndex, long units, long original, byte... data) {
        return enhanced(interfaceIndex, units, original, data, body());
    }

    CaptureBytes enhanced(int interfaceIndex, long units, long original, byte[] data, CaptureBytes options) {
        CaptureBytes body = body().u32(interfaceIndex, units >>> 32, units, data.length, original);
        return block(6, body.raw(data).pad().raw(options.toArray()));
    }

    CaptureBytes option(int code, byte... value) {
        return u16(code, value.length).raw(value).pad();
    }

    CaptureBytes option(int code, String value) {
        return option(code, value.getBytes(StandardCharsets.UTF_8));
    }

    CaptureBytes block(int type, CaptureBytes body) {
        byte[] content = body.pad().toArray();
        return u32(type, content.length + 12).raw(content).u32(content.length + 12);
    }

    CaptureBytes pad() {
        while (bytes.position() % 4 != 0) {
            bytes.put((byte) 0);
        }
        return this;
    }

    /** An empty piece in the same byte order. */
    CaptureBytes body() {
        return new CaptureBytes(bytes.order());
    }

    byte[] toArray() {
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    ReadableByteChannel channel() {
        return channel(toArray());
    }

    static ReadableByteChannel channel(byte[] bytes) {
        return Channels.newChannel(new ByteArrayInputStream(bytes));
    }

    /** Some bytes that differ from place to place. */
    static byte[] data(int length, int seed) {
        byte[] data = new byte[length];
        for (int i = 0; i < length; i++) {
            data[i] = (byte) (seed + 31 * i);
        }
        return data;
    }
}
