// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

/** A lane refused a command or does not answer; the message is one clause for people. */
public final class DataplaneException extends Exception {
    private static final long serialVersionUID = 1L;

    public DataplaneException(String message) {
        super(message);
    }
}
