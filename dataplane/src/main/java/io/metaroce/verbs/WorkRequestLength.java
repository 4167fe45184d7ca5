// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

/** The one bound of a work request that its 32-bit field cannot tell the lane about. */
final class WorkRequestLength {
    private static final long LENGTH_MAX = 0xffff_ffffL;

    private WorkRequestLength() {}

    static long checked(long length) {
        if (length < 0 || length > LENGTH_MAX) {
            throw new IllegalArgumentException("a work request has 0 to " + LENGTH_MAX + " bytes");
        }
        return length;
    }
}
