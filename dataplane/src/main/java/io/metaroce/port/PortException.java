// SPDX-License-Identifier: Apache-2.0
package io.metaroce.port;

import org.jspecify.annotations.Nullable;

/** A port could not be opened; the message is one line for the operator, naming the cause and the cure. */
public final class PortException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public PortException(String message) {
        super(message);
    }

    public PortException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
