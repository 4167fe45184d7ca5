// SPDX-License-Identifier: Apache-2.0
package io.metaroce.port;

/** What the bytes of a burst's descriptor are. */
public enum Framing {
    /** The UDP payload is in the buffer; addresses, ports and ECN are in the descriptor. */
    DATAGRAM,
    /** The whole Ethernet frame is in the buffer; the descriptor's address fields are unused. */
    ETHERNET
}
