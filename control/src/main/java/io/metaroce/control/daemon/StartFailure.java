// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

/** A node could not be started; the message is one line that names the cause and the cure. Nothing is left running. */
public final class StartFailure extends Exception {
    private static final long serialVersionUID = 1L;

    public StartFailure(String message) {
        super(message);
    }

    public StartFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
