// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

/** What can be wrong with a capture. None of it is an exception: it is counted, and reading goes on where it can. */
public enum CaptureProblem {
    EMPTY(Effect.NO_CAPTURE, "the capture is empty"),
    NOT_A_CAPTURE(Effect.NO_CAPTURE, "neither pcap nor pcapng"),
    COMPRESSED(Effect.NO_CAPTURE, "compressed; decompress it first"),
    VERSION_UNKNOWN(Effect.NO_CAPTURE, "a version of the format that is not known"),

    TAIL_UNFINISHED(Effect.ENDS, "the last record is unfinished"),
    RECORD_TOO_LONG(Effect.ENDS, "a record is longer than 16 MiB"),
    BLOCK_LENGTH_INVALID(Effect.ENDS, "a block length is impossible"),
    BYTE_ORDER_INVALID(Effect.ENDS, "a section header has no valid byte order"),

    INTERFACE_UNKNOWN(Effect.SKIPS, "a packet names an interface that was not described"),
    INTERFACES_TOO_MANY(Effect.SKIPS, "more interfaces than the reader keeps"),
    BLOCK_MALFORMED(Effect.SKIPS, "a block is too short for what it contains"),

    BLOCK_TRAILER_DIFFERS(Effect.NOTES, "the length after a block differs from the one before it"),
    CAPTURED_ABOVE_ORIGINAL(Effect.NOTES, "more bytes captured than the packet had"),
    CAPTURED_ABOVE_SNAPLEN(Effect.NOTES, "more bytes captured than the snap length allows"),
    OPTION_MALFORMED(Effect.NOTES, "an option does not fit its block"),
    TIME_OUT_OF_RANGE(Effect.NOTES, "a time that nanoseconds since 1970 in 64 bits cannot hold");

    /** How far a problem reaches. */
    public enum Effect {
        /** There is nothing to read at all. */
        NO_CAPTURE,
        /** Reading ends here; what came before stands. */
        ENDS,
        /** One packet or block is left out. */
        SKIPS,
        /** The packet is delivered all the same. */
        NOTES
    }

    private final Effect effect;
    private final String description;

    CaptureProblem(Effect effect, String description) {
        this.effect = effect;
        this.description = description;
    }

    public Effect effect() {
        return effect;
    }

    /** A few words for people, without a full stop. */
    public String description() {
        return description;
    }
}
