// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import picocli.CommandLine;

/** Where perf's lines go: tables on standard output; with JSON, that alone on standard output and tables beside it. */
final class Screen {
    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean isJson;

    Screen(CommandLine commandLine, boolean isJson) {
        this.out = commandLine.getOut();
        this.err = commandLine.getErr();
        this.isJson = isJson;
    }

    /** A line of the result. */
    void table(String line) {
        PrintWriter writer = isJson ? err : out;
        writer.println(line);
        writer.flush();
    }

    /** A line about what is going on. */
    void note(String line) {
        err.println(line);
        err.flush();
    }

    /** The last line of standard output, if it is wanted. */
    void json(ObjectNode document) {
        if (isJson) {
            out.println(document);
            out.flush();
        }
    }
}
