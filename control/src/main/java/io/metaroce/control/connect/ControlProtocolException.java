// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

/** The peer sent something that is not the control protocol; the message is one clear line without the peer's bytes. */
public final class ControlProtocolException extends Exception {
    private static final long serialVersionUID = 1L;

    public ControlProtocolException(String message) {
        super(message);
    }
}
