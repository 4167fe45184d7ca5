// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

/** What the parser says of a packet; everything but {@link #OK} is a drop with its own counter. */
public enum ParseResult {
    OK("a packet of this profile"),
    TOO_SHORT("shorter than its headers"),
    UNKNOWN_VERSION("version is not 1"),
    UNKNOWN_TYPE("type is not defined"),
    BAD_CHECKSUM("CRC32C does not match"),
    MERGED("several packets in one datagram: receive coalescing forgot their size"),
    UNKNOWN_OPCODE("operation is not defined"),
    BAD_LENGTH("length fields contradict the datagram's length"),
    BAD_FIELD("a field is out of its range");

    private final String meaning;

    ParseResult(String meaning) {
        this.meaning = meaning;
    }

    public String meaning() {
        return meaning;
    }
}
