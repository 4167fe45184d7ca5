// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.cli;

/**
 * A failure that the operator can understand and mend: printed as one line on standard error, exit 1, no stack trace.
 *
 * <p>The message names the cause and the fix, for example {@code port 18515 is taken by another process; choose one with
 * -p PORT}.
 */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CommandFailure(String message) {
        super(message);
    }

    public CommandFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
