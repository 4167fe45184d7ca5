// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.cli;

/** What a process of ours tells its caller. */
public final class ExitCode {
    /** Everything that was asked for was done, and checked where a check exists. */
    public static final int OK = 0;
    /** The work failed or a check did not hold; one line on standard error says what. */
    public static final int FAILED = 1;
    /** The command line was wrong; nothing was started. */
    public static final int USAGE = 2;

    private ExitCode() {}
}
