// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.cli;

/**
 * Whether a person is looking: decides about colour and live lines, never about content.
 *
 * <p>The launcher tests its own descriptors and says so by property, because {@link System#console} answers differently
 * between Java 17 and 22. Without the launcher nothing is a terminal.
 */
public final class Terminal {
    private Terminal() {}

    /** Standard output is a terminal: a live line may be redrawn there. */
    public static boolean standardOutputIsTerminal() {
        return Boolean.getBoolean("metaroce.terminal.out");
    }

    /** Standard error is a terminal: a live line may be redrawn there. */
    public static boolean standardErrorIsTerminal() {
        return Boolean.getBoolean("metaroce.terminal.err");
    }

    /** Colour is wanted on standard output: a terminal, and NO_COLOR unset or empty. */
    static boolean colourIsWanted() {
        String noColour = System.getenv("NO_COLOR");
        return standardOutputIsTerminal() && (noColour == null || noColour.isEmpty());
    }
}
