// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import io.metaroce.port.PortException;
import jnr.ffi.LibraryLoader;
import org.jspecify.annotations.Nullable;

/**
 * Loads {@link LibC} once per process. jnr-ffi unpacks a native stub into the temporary directory; where that is not
 * allowed, the failure is kept and told as one line to everyone who asks.
 */
final class LibCLoader {
    private static final @Nullable LibC LIB_C;
    private static final @Nullable Throwable FAILURE;
    private static final jnr.ffi.@Nullable Runtime RUNTIME;

    static {
        LibC libC = null;
        jnr.ffi.Runtime runtime = null;
        Throwable failure = null;
        try {
            libC = LibraryLoader.create(LibC.class).failImmediately().load("c");
            runtime = jnr.ffi.Runtime.getSystemRuntime();
        } catch (LinkageError | RuntimeException e) {
            failure = e;
        }
        LIB_C = libC;
        RUNTIME = runtime;
        FAILURE = failure;
    }

    private LibCLoader() {}

    /** Why there is no native code here, in one line; null if there is. */
    static @Nullable String failure() {
        return LIB_C == null ? explain() : null;
    }

    /**
     * The binding.
     *
     * @throws PortException naming the directory and the property when the native stub cannot be loaded
     */
    static LibC load() {
        if (LIB_C == null) {
            throw new PortException(explain(), FAILURE);
        }
        return LIB_C;
    }

    /** The errno of the last failed call of this thread; only after a call without {@code @IgnoreError}. */
    static int lastError() {
        return RUNTIME == null ? 0 : RUNTIME.getLastError();
    }

    private static String explain() {
        return "sockets need native code, which could not be unpacked into "
                + extractDirectory()
                + " ("
                + rootCause(FAILURE)
                + "): give a directory that is writable and not mounted noexec with -Djffi.extract.dir=DIR";
    }

    private static String extractDirectory() {
        String chosen = System.getProperty("jffi.extract.dir");
        return chosen != null ? chosen : System.getProperty("java.io.tmpdir", "the temporary directory");
    }

    /** The first line of the innermost cause; jffi's own messages are whole stack traces. */
    private static String rootCause(@Nullable Throwable failure) {
        Throwable cause = failure;
        while (cause != null && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause == null ? null : cause.getMessage();
        if (message == null) {
            return cause == null ? "unknown cause" : cause.getClass().getSimpleName();
        }
        int lineEnd = message.indexOf('\n');
        return (lineEnd < 0 ? message : message.substring(0, lineEnd)).trim();
    }
}
