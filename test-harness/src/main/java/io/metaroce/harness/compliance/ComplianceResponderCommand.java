// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import io.metaroce.control.cli.ExitCode;
import io.metaroce.control.daemon.NodeOptions;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code metaroce compliance responder}: a target with the application that cases need. */
@CommandLine.Command(name = "responder", description = "Start a target on sockets; ends when interrupted")
final class ComplianceResponderCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--bind", paramLabel = "ADDRESS", defaultValue = "127.0.0.1", description = "Local address")
    private String bind = "";

    @Option(names = "-p", paramLabel = "PORT", defaultValue = "4794", description = "Port of the control channel")
    private int port;

    @Override
    public Integer call() throws InterruptedException {
        try (Responder responder = Responder.start(bind, port, NodeOptions.SERVING)) {
            spec.commandLine().getOut().println("the compliance responder listens at " + bind + ":" + responder.port());
            spec.commandLine().getOut().flush();
            new CountDownLatch(1).await();
        }
        return ExitCode.OK;
    }
}
