// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

/** Why a connection ended. */
public enum CloseCode {
    /** Its owner closed it. */
    NORMAL,
    /** The host shuts down. */
    SHUTDOWN,
    /** The dataplane lost it; the reason says how. */
    LOST,
    /** The peer's process is another one than before. */
    RESTARTED,
    /** The versions or profiles do not match. */
    VERSION,
    /** The peer broke the control protocol. */
    PROTOCOL,
    /** Too many handshakes, or one that took too long. */
    HANDSHAKE
}
