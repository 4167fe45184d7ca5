// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.spec;

import io.metaroce.control.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code metaroce spec dissector}: the Wireshark dissector, as it stands in deploy/wireshark. */
@CommandLine.Command(name = "dissector", description = "Print the Wireshark dissector that the tables make")
final class SpecDissectorCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        out.print(Dissector.lua());
        out.flush();
        return ExitCode.OK;
    }
}
