// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wire;

/** Why a responder refused a message; the byte in an ERROR header. */
public enum Syndrome {
    INVALID_REQUEST(1),
    ACCESS(2),
    RANGE(3),
    OPERATIONAL(4),
    LENGTH(5),
    NOT_SUPPORTED(6);

    private final int code;

    Syndrome(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** The syndrome of a code; an unknown code reads as {@link #OPERATIONAL}, so that the message still fails. */
    public static Syndrome of(int code) {
        for (Syndrome syndrome : SyndromeTable.ROWS) {
            if (syndrome.code == code) {
                return syndrome;
            }
        }
        return OPERATIONAL;
    }

    private static final class SyndromeTable {
        static final Syndrome[] ROWS = values();

        private SyndromeTable() {}
    }
}
