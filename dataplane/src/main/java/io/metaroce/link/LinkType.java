// SPDX-License-Identifier: Apache-2.0
package io.metaroce.link;

import org.jspecify.annotations.Nullable;

/** The link-layer header types that are understood, with their numbers in capture files. */
public enum LinkType {
    /** Address family in the byte order of the machine that captured, then IP. */
    NULL(0),
    ETHERNET(1),
    /** Raw IP by its number in the capturing interface of most systems; stray files use it. */
    RAW_DLT(12),
    /** Raw IP by its number on OpenBSD. */
    RAW_OPENBSD(14),
    /** Raw IP, the version told by the first four bits. */
    RAW(101),
    /** As {@link #NULL}, in network order. */
    LOOP(108),
    LINUX_COOKED(113),
    IPV4(228),
    IPV6(229),
    LINUX_COOKED_2(276);

    private static final LinkType[] ROWS = values();

    private final int number;

    LinkType(int number) {
        this.number = number;
    }

    /** The number that capture files carry. */
    public int number() {
        return number;
    }

    /** The type of a number, or null when it is not understood. */
    public static @Nullable LinkType of(int number) {
        for (LinkType row : ROWS) {
            if (row.number == number) {
                return row;
            }
        }
        return null;
    }
}
