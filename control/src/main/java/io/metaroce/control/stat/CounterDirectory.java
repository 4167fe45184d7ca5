// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.stat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where nodes keep their counter files: one directory for each user in shared memory, so that nothing is ever written to a
 * disk. A node holds a lock on its file for as long as it lives, by which the files of the dead are found.
 */
public final class CounterDirectory {
    /** What the configuration says for no file. */
    public static final String NONE = "none";

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final String PREFIX = "metaroce-";
    private static final String SUFFIX = ".counters";
    private static final AtomicInteger FILES = new AtomicInteger();

    private CounterDirectory() {}

    /**
     * The directory of this user, made if there is none.
     *
     * @throws IOException with a message, if it belongs to somebody else or cannot be made
     */
    public static Path own() throws IOException {
        Path parent = Files.isWritable(SHARED_MEMORY) ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        return prepare(parent.resolve(PREFIX + System.getProperty("user.name")));
    }

    /** Makes a directory that only this user can enter, or takes the one there is if it is this user's. */
    public static Path prepare(Path directory) throws IOException {
        try {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
            // Anybody may have made it, where anybody may write; a link could lead anywhere.
            PosixFileAttributes found =
                    Files.readAttributes(directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!found.isDirectory()) {
                throw new IOException(directory + " is no directory", e);
            }
            if (!found.owner().getName().equals(System.getProperty("user.name"))) {
                throw new IOException(directory + " belongs to " + found.owner().getName(), e);
            }
        }
        return directory;
    }

    /** A name for a new file of this process. */
    public static Path newFile(Path directory, String node) {
        long process = ProcessHandle.current().pid();
        return directory.resolve(
                String.format(Locale.ROOT, "%s-%d-%d%s", node, FILES.getAndIncrement(), process, SUFFIX));
    }

    /** Removes the files whose process has ended without doing so. */
    public static void sweep(Path directory) throws IOException {
        for (Path file : files(directory)) {
            if (!isAlive(file)) {
                remove(file);
            }
        }
    }

    /** Removes a file, if it is still there. */
    public static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException ignored) {
            // It stays until the next node of this user sweeps it away.
        }
    }

    /** The files of living processes that this user may read: of one directory, or of every user's. */
    public static List<Path> living(List<Path> directories) throws IOException {
        List<Path> living = new ArrayList<>();
        for (Path directory : directories) {
            for (Path file : files(directory)) {
                if (isAlive(file) && Files.isReadable(file)) {
                    living.add(file);
                }
            }
        }
        return living;
    }

    /** Every user's directory that this user may enter. */
    public static List<Path> all() throws IOException {
        List<Path> directories = new ArrayList<>();
        for (Path parent : List.of(SHARED_MEMORY, Path.of(System.getProperty("java.io.tmpdir")))) {
            if (!Files.isDirectory(parent)) {
                continue;
            }
            try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, PREFIX + "*")) {
                for (Path directory : found) {
                    if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS) && Files.isReadable(directory)) {
                        directories.add(directory);
                    }
                }
            }
        }
        return directories;
    }

    private static List<Path> files(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            found.forEach(files::add);
        }
        files.sort(null);
        return files;
    }

    /** A living process holds the lock of its file; its number proves nothing where numbers are given again. */
    private static boolean isAlive(Path file) throws IOException {
        String name = file.getFileName().toString();
        String process = name.substring(name.lastIndexOf('-') + 1, name.length() - SUFFIX.length());
        if (process.equals(Long.toString(ProcessHandle.current().pid()))) {
            // Closing a second descriptor would take the lock from the first one.
            return true;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return lock == null;
        } catch (NoSuchFileException | AccessDeniedException e) {
            return false;
        }
    }
}
