// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

/** A connection or stream could not be had; the message is one line for the operator that names the cause. */
public final class ConnectFailure extends Exception {
    private static final long serialVersionUID = 1L;

    public ConnectFailure(String message) {
        super(message);
    }
}
