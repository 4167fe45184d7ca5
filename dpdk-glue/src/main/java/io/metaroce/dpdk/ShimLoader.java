// SPDX-License-Identifier: Apache-2.0
package io.metaroce.dpdk;

import io.metaroce.port.PortException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import jnr.ffi.LibraryLoader;
import org.jspecify.annotations.Nullable;

/**
 * Loads {@link Shim} once per process, out of the jar. A jar built without libdpdk has none, and a host without libdpdk
 * cannot load it: both are normal, and told in one line to everyone who asks.
 */
final class ShimLoader {
    static final String RESOURCE = "native/libmetaroce_dpdk.so";

    private static final @Nullable Shim SHIM;
    private static final @Nullable String FAILURE;

    static {
        Shim shim = null;
        String failure = null;
        try {
            shim = unpackAndLoad();
        } catch (IOException | LinkageError | RuntimeException e) {
            failure = explain(e);
        }
        SHIM = shim;
        FAILURE = failure;
    }

    private ShimLoader() {}

    /** Why there is no DPDK here; null if there is. */
    static @Nullable String failure() {
        return FAILURE;
    }

    /**
     * The binding.
     *
     * @throws PortException in one line with the cure when it cannot be loaded
     */
    static Shim load() {
        if (SHIM == null) {
            throw new PortException(String.valueOf(FAILURE));
        }
        return SHIM;
    }

    private static Shim unpackAndLoad() throws IOException {
        try (InputStream library = ShimLoader.class.getResourceAsStream(RESOURCE)) {
            if (library == null) {
                throw new PortException(
                        "this build is without DPDK: apt install libdpdk-dev gcc pkg-config, and build again");
            }
            Path file = Files.createTempFile("metaroce-dpdk", ".so");
            try {
                Files.copy(library, file, StandardCopyOption.REPLACE_EXISTING);
                return LibraryLoader.create(Shim.class).failImmediately().load(file.toString());
            } finally {
                Files.delete(file); // It stays mapped.
            }
        }
    }

    private static String explain(Throwable e) {
        if (e instanceof PortException) {
            return String.valueOf(e.getMessage());
        }
        String message = String.valueOf(e.getMessage());
        int lineEnd = message.indexOf('\n');
        return "DPDK cannot be loaded (" + (lineEnd < 0 ? message : message.substring(0, lineEnd)).trim()
                + "): apt install dpdk, or use kind: socket";
    }
}
