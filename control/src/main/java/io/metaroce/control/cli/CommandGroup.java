// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.cli;

/** The headings of {@code metaroce --help}, in the order in which they are printed. */
public enum CommandGroup {
    RUN("Run"),
    MEASURE("Measure"),
    INSPECT("Inspect"),
    DEVELOP("Develop");

    private final String heading;

    CommandGroup(String heading) {
        this.heading = heading;
    }

    String heading() {
        return heading;
    }
}
