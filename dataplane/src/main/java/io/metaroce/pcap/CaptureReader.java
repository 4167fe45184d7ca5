// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * Reads pcap and pcapng, told apart by their first bytes, from a blocking channel. Memory is bounded whatever the
 * capture contains; no content is an exception: what is wrong is counted by {@link CaptureProblem}. The channel stays
 * the caller's. Used by one thread.
 *
 * <pre>{@code
 *   CaptureReader reader = new CaptureReader(channel);
 *   PacketRecord packet = new PacketRecord();
 *   while (reader.next(packet)) { ... packet.data() ... }
 *   if (reader.endedEarly() != null) { ... }
 * }</pre>
 */
public final class CaptureReader {
    /** Longest record that is read, in bytes. */
    public static final int RECORD_BYTES_MAX = 16 << 20;

    private static final int MAGIC_BYTES = 4;
    private static final int MAGIC_MICRO = 0xa1b2c3d4;
    private static final int MAGIC_NANO = 0xa1b23c4d;
    private static final int MAGIC_PCAPNG = 0x0a0d0d0a;
    private static final int MAGIC_GZIP = 0x1f8b;
    private static final int MAGIC_ZSTANDARD = 0x28b52ffd;

    private final ByteSource source;
    private final CaptureProblems problems = new CaptureProblems();
    private final CaptureInterfaces interfaces = new CaptureInterfaces();
    private CaptureFormat format = CaptureFormat.UNKNOWN;
    private @Nullable PcapRecords pcap;
    private @Nullable PcapngBlocks pcapng;

    /**
     * @param channel blocking, at the first byte of the capture
     */
    public CaptureReader(ReadableByteChannel channel) {
        this.source = new ByteSource(channel);
    }

    /**
     * Moves on to the next packet.
     *
     * @param packet filled; its bytes are valid until the next call
     * @return false at the end, which {@link #endedEarly} may explain
     * @throws IOException only from the channel
     */
    public boolean next(PacketRecord packet) throws IOException {
        if (problems.hasEnded() || (format == CaptureFormat.UNKNOWN && !begin())) {
            return false;
        }
        if (pcap != null) {
            return pcap.next(packet);
        }
        return pcapng != null && pcapng.next(packet);
    }

    /** What the capture is; {@link CaptureFormat#UNKNOWN} before the first {@link #next}. */
    public CaptureFormat format() {
        return format;
    }

    /** Interfaces described so far, over all sections. */
    public int interfaceCount() {
        return interfaces.count();
    }

    /**
     * One interface.
     *
     * @param index {@code 0..interfaceCount() - 1}
     */
    public CaptureInterface interfaceAt(int index) {
        return interfaces.at(index);
    }

    /** How often a problem was met. */
    public long problemCount(CaptureProblem problem) {
        return problems.counted(problem);
    }

    /** Why reading ended before the end of the file, in one sentence; null when it did not. */
    public @Nullable String endedEarly() {
        return problems.sentence();
    }

    /** Whether the bytes are no capture at all, rather than one that ends early. */
    public boolean isNoCapture() {
        return problems.isNoCapture();
    }

    private boolean begin() throws IOException {
        if (!source.has(MAGIC_BYTES)) {
            boolean isEmpty = source.available() == 0;
            problems.end(
                    isEmpty ? CaptureProblem.EMPTY : CaptureProblem.NOT_A_CAPTURE,
                    source.available() + " bytes in all");
            return false;
        }
        int magic = source.bytes().getInt(source.head(), ByteOrder.BIG_ENDIAN);
        int swapped = Integer.reverseBytes(magic);
        if (magic == MAGIC_PCAPNG) {
            format = CaptureFormat.PCAPNG;
            pcapng = new PcapngBlocks(source, interfaces, problems);
            return true;
        }
        boolean isBigEndian = magic == MAGIC_MICRO || magic == MAGIC_NANO;
        if (isBigEndian || swapped == MAGIC_MICRO || swapped == MAGIC_NANO) {
            return beginPcap(isBigEndian, magic == MAGIC_NANO || swapped == MAGIC_NANO);
        }
        boolean isCompressed = magic >>> 16 == MAGIC_GZIP || magic == MAGIC_ZSTANDARD;
        problems.end(
                isCompressed ? CaptureProblem.COMPRESSED : CaptureProblem.NOT_A_CAPTURE,
                "it begins with 0x" + Integer.toHexString(magic));
        return false;
    }

    private boolean beginPcap(boolean isBigEndian, boolean isNano) throws IOException {
        ByteOrder order = isBigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        PcapRecords records = new PcapRecords(source, order, isNano, interfaces, problems);
        if (!records.begin()) {
            return false;
        }
        format = isNano ? CaptureFormat.PCAP_NANO : CaptureFormat.PCAP_MICRO;
        pcap = records;
        return true;
    }
}
