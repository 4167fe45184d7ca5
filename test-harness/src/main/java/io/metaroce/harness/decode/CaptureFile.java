// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.decode;

import io.metaroce.control.cli.CommandFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Opens what a person named as a capture. */
public final class CaptureFile {
    private CaptureFile() {}

    /**
     * Opens a capture; {@code -} is standard input.
     *
     * @throws CommandFailure when there is none, or this user may not read it
     */
    public static ReadableByteChannel open(String file) throws IOException {
        if (file.equals("-")) {
            InputStream in = System.in;
            return Channels.newChannel(in);
        }
        try {
            Path path = Path.of(file);
            if (Files.isDirectory(path)) {
                throw new CommandFailure(file + " is a directory; name a capture file");
            }
            return Files.newByteChannel(path);
        } catch (NoSuchFileException | InvalidPathException e) {
            throw new CommandFailure(file + " does not exist", e);
        } catch (AccessDeniedException e) {
            throw new CommandFailure(file + " may not be read by this user", e);
        }
    }
}
