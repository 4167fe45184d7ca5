// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;

/** A whole capture read into objects, for tests to look at. */
record ReadBack(CaptureReader reader, List<Packet> packets) {

    record Packet(
            long timeNs,
            boolean hasTime,
            int interfaceIndex,
            int linkType,
            List<Byte> data,
            long originalLength,
            PacketDirection direction,
            long dropped,
            List<String> comments) {}

    static ReadBack of(byte[] bytes) {
        return of(CaptureBytes.channel(bytes));
    }

    static ReadBack of(ReadableByteChannel channel) {
        CaptureReader reader = new CaptureReader(channel);
        PacketRecord record = new PacketRecord();
        List<Packet> packets = new ArrayList<>();
        try {
            while (reader.next(record)) {
                packets.add(packet(record));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ReadBack(reader, packets);
    }

    List<Long> times() {
        return packets.stream().map(Packet::timeNs).toList();
    }

    private static Packet packet(PacketRecord record) {
        List<Byte> data = new ArrayList<>();
        for (int i = 0; i < record.capturedLength(); i++) {
            data.add(record.data().getByte(i));
        }
        List<String> comments = new ArrayList<>();
        for (int i = 0; i < record.commentCount(); i++) {
            comments.add(record.comment(i));
        }
        return new Packet(
                record.timeNs(),
                record.hasTime(),
                record.interfaceIndex(),
                record.linkType(),
                data,
                record.originalLength(),
                record.direction(),
                record.droppedPackets(),
                comments);
    }
}
