// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * CRC32C (Castagnoli, RFC 3720 appendix B.4) over native memory, with the JDK's intrinsic and without allocation. One user
 * at a time: every lane has its own.
 *
 * <p>The JDK takes buffers, not addresses, so one direct buffer is re-aimed at each packet. It never owns what it looks at,
 * and is never handed out.
 */
public final class Crc32c {
    /** Bytes of the checksum that ends every packet. */
    public static final int LENGTH = 4;

    private static final long CAPACITY_OFFSET = UnsafeApi.objectFieldOffset(Buffer.class, "capacity");

    private final CRC32C crc = new CRC32C();
    private final ByteBuffer window = ByteBuffer.allocateDirect(0);
    private final boolean isCounted;

    public Crc32c() {
        this(false);
    }

    private Crc32c(boolean isCounted) {
        this.isCounted = isCounted;
    }

    /**
     * For simulations that carry headers and only count payload: nothing is written, read or compared, every packet is
     * taken for sealed, and lengths are what they would be. Such packets must never leave the process.
     */
    public static Crc32c countedOnly() {
        return new Crc32c(true);
    }

    /** The checksum of {@code length} bytes from {@code offset} of off-heap memory. */
    public int compute(UnsafeBuffer memory, int offset, int length) {
        assert memory.byteArray() == null : "packets live off the heap";
        // MOP-PKT-3
        aim(memory.addressOffset() + offset, length);
        crc.reset();
        crc.update(window);
        return (int) crc.getValue();
    }

    /** Writes the checksum of the first {@code length} bytes right behind them; returns the packet's whole length. */
    public int seal(UnsafeBuffer packet, int length) {
        if (isCounted) {
            return length + LENGTH;
        }
        packet.putInt(length, compute(packet, 0, length), ByteOrder.BIG_ENDIAN);
        return length + LENGTH;
    }

    /** Whether the last four of {@code length} bytes are the checksum of those before. */
    public boolean isSealed(UnsafeBuffer packet, int offset, int length) {
        if (isCounted) {
            return true;
        }
        int covered = length - LENGTH;
        return packet.getInt(offset + covered, ByteOrder.BIG_ENDIAN) == compute(packet, offset, covered);
    }

    private void aim(long address, int length) {
        UnsafeApi.putLong(window, BufferUtil.BYTE_BUFFER_ADDRESS_FIELD_OFFSET, address);
        UnsafeApi.putInt(window, CAPACITY_OFFSET, length);
        window.limit(length).position(0);
    }
}
