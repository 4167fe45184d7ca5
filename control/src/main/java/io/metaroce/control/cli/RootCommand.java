// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.cli;

import picocli.CommandLine;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code metaroce} without a command: the help, and exit 2, because nothing was done. */
@CommandLine.Command(
        name = "metaroce",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = RootCommand.Version.class,
        description = "MetaRoCE Open Profile: RDMA over many lossy paths, on UDP sockets.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  metaroce demo                              two daemons, 1 %% loss, one path dies: nothing is lost",
            "  metaroce perf server                       in one shell, then in another:",
            "  metaroce perf client 127.0.0.1 write_bw    the table you know from perftest",
            "  metaroce decode capture.pcapng             one line per packet",
            "  metaroce COMMAND --help                    options and examples of a command"
        })
final class RootCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), Failures.MISSING_COMMAND);
    }

    /** The same line as {@code metaroce version}. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {VersionInfo.current().toString()};
        }
    }
}
