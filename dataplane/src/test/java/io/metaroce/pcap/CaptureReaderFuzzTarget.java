// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

import java.io.IOException;

/**
 * Fuzz target in the form Jazzer calls; its corpus is {@code src/test/resources/fuzz/pcap}, replayed in every build.
 * Whatever the bytes: no exception, every view inside the reader's memory, no more packets than bytes.
 */
public final class CaptureReaderFuzzTarget {
    private CaptureReaderFuzzTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        CaptureReader reader = new CaptureReader(CaptureBytes.channel(input));
        PacketRecord packet = new PacketRecord();
        long packets = 0;
        try {
            while (reader.next(packet)) {
                packets++;
                touch(reader, packet);
            }
            if (reader.next(packet)) {
                throw new AssertionError("a packet after the end");
            }
        } catch (IOException e) {
            throw new AssertionError("the channel cannot fail", e);
        }
        if (packets > input.length) {
            throw new AssertionError(packets + " packets out of " + input.length + " bytes");
        }
    }

    private static void touch(CaptureReader reader, PacketRecord packet) {
        if (packet.capturedLength() > CaptureReader.RECORD_BYTES_MAX) {
            throw new AssertionError("a record of " + packet.capturedLength());
        }
        int sum = 0;
        for (int i = 0; i < packet.capturedLength(); i++) {
            sum += packet.data().getByte(i);
        }
        int comments = packet.commentCount();
        for (int i = 0; i < comments; i++) {
            sum += packet.comment(i).length();
        }
        if (packet.timeNs() == Long.MIN_VALUE || reader.interfaceAt(packet.interfaceIndex()) == null) {
            throw new AssertionError("sum " + sum);
        }
    }
}
