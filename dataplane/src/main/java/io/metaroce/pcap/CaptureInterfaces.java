// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The interfaces of a whole file, in order; each section of a pcapng file numbers its own from 0. */
final class CaptureInterfaces {
    /** Bounds the memory a capture can claim; real files have a few dozen. */
    static final int INTERFACES_MAX = 4096;

    private @Nullable CaptureInterface[] rows = new CaptureInterface[4];
    private int count;
    private int sectionStart;

    int count() {
        return count;
    }

    /** Adds an interface to the current section; false when there are too many. */
    boolean add(CaptureInterface described) {
        if (count == INTERFACES_MAX) {
            return false;
        }
        if (count == rows.length) {
            rows = Arrays.copyOf(rows, 2 * count);
        }
        rows[count++] = described;
        return true;
    }

    void beginSection() {
        sectionStart = count;
    }

    /** Index in the file of an interface of the current section, or -1 when it was not described. */
    int indexOf(int indexInSection) {
        // Unsigned: a hostile index above 2^31 must not come out below the section.
        return Integer.compareUnsigned(indexInSection, count - sectionStart) < 0 ? sectionStart + indexInSection : -1;
    }

    CaptureInterface at(int index) {
        CaptureInterface row = index >= 0 && index < count ? rows[index] : null;
        if (row == null) {
            throw new IndexOutOfBoundsException("interface " + index + " of " + count);
        }
        return row;
    }
}
