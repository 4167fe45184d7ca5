// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import io.metaroce.control.stat.CounterDirectory;
import io.metaroce.counters.ConnectionCounters;
import io.metaroce.counters.CounterBlock;
import io.metaroce.counters.CounterFile;
import io.metaroce.counters.LaneCounter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.IdentityHashMap;
import java.util.Set;
import org.agrona.BufferUtil;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where the counters of a node stand: in a file that {@code metaroce stat} maps, or, switched off, in this process alone.
 * Counting costs the same either way. Control thread only, but for the numbers themselves.
 */
final class CounterStore implements AutoCloseable {
    private static final int CACHE_LINE_BYTES = 64;

    private final @Nullable CounterFile file;
    private final @Nullable Path path;
    /** Open for as long as the node lives: its lock is what tells the living from the dead. */
    private final @Nullable FileChannel channel;

    private final IdentityHashMap<ConnectionCounters, Integer> slots = new IdentityHashMap<>();

    private CounterStore(@Nullable CounterFile file, @Nullable Path path, @Nullable FileChannel channel) {
        this.file = file;
        this.path = path;
        this.channel = channel;
    }

    /**
     * @param directory of the configuration: empty for the user's own, {@code none} for no file
     * @throws StartFailure with one line, if there is no such directory and none can be made
     */
    static CounterStore open(String directory, String name, CounterFile.Shape wanted) throws StartFailure {
        if (directory.equals(CounterDirectory.NONE)) {
            return new CounterStore(null, null, null);
        }
        try {
            Path home = directory.isEmpty() ? CounterDirectory.own() : CounterDirectory.prepare(Path.of(directory));
            CounterDirectory.sweep(home);
            return create(CounterDirectory.newFile(home, name), name, wanted.thatFits());
        } catch (IOException e) {
            throw new StartFailure("counters.directory: " + e.getMessage() + "; name another, or none", e);
        }
    }

    private static CounterStore create(Path path, String name, CounterFile.Shape shape) throws IOException {
        FileChannel channel = FileChannel.open(
                path,
                Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            channel.lock();
            UnsafeBuffer mapped = new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, shape.bytes()));
            long process = ProcessHandle.current().pid();
            CounterFile file = CounterFile.format(mapped, name, process, System.currentTimeMillis(), shape);
            return new CounterStore(file, path, channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** The numbers of one lane, rows of {@link LaneCounter}. */
    CounterBlock lane(int lane) {
        if (file != null) {
            return file.lane(lane);
        }
        int bytes = CounterBlock.bytesFor(LaneCounter.count());
        return new CounterBlock(
                new UnsafeBuffer(BufferUtil.allocateDirectAligned(bytes, CACHE_LINE_BYTES)), 0, LaneCounter.count());
    }

    /** Zeros for a new connection; those of one that found no slot are seen by this process only. */
    ConnectionCounters claim(int connectionId, String peer, int paths) {
        int slot = file == null ? -1 : file.claim(connectionId, peer, paths);
        if (file == null || slot < 0) {
            return ConnectionCounters.inProcess(paths);
        }
        ConnectionCounters counters = file.counters(slot);
        slots.put(counters, slot);
        return counters;
    }

    /** The connection has counted its last. */
    void release(ConnectionCounters counters) {
        Integer slot = slots.remove(counters);
        if (file != null && slot != null) {
            file.release(slot);
        }
    }

    /** Removes the file; what is mapped stays mapped, since lanes and readers may still look. */
    @Override
    public void close() {
        if (path != null && channel != null) {
            CounterDirectory.remove(path);
            CloseHelper.quietClose(channel);
        }
    }
}
