// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.stat;

import io.metaroce.counters.CounterFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/** One node's file, mapped read-only, and what was read of it last. */
final class NodeReader {
    private final CounterFile file;
    private Snapshot last;

    private NodeReader(CounterFile file) {
        this.file = file;
        this.last = new Snapshot(0, Map.of());
    }

    /**
     * @throws IOException if it cannot be mapped
     * @throws IllegalArgumentException if it is not a file of counters of this version
     */
    static NodeReader open(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            long length = Math.min(channel.size(), CounterFile.BYTES_MAX);
            return new NodeReader(
                    CounterFile.read(new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_ONLY, 0, length))));
        }
    }

    /** The first look, from which the next one's differences are taken. */
    void look(long nowNs) {
        last = Snapshot.of(file, nowNs);
    }

    /** What each living connection did since the last look. */
    List<ConnectionRow> rows(long nowNs) {
        Snapshot now = Snapshot.of(file, nowNs);
        List<ConnectionRow> rows = new ArrayList<>();
        now.connections().forEach((key, sample) -> {
            Snapshot.Sample before = last.connections().getOrDefault(key, sample);
            rows.add(new ConnectionRow(file.name(), before, sample, nowNs - last.timeNs()));
        });
        last = now;
        return rows;
    }
}
