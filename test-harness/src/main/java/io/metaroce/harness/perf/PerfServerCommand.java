// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.metaroce.control.cli.CommandFailure;
import io.metaroce.control.cli.ExitCode;
import io.metaroce.control.connect.PeerConnection;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code metaroce perf server}: serves measuring clients until Ctrl-C. */
@Command(
        name = "server",
        description = "Serve perf clients until Ctrl-C",
        footerHeading = "%nExamples:%n",
        footer = {
            "  metaroce perf server",
            "  metaroce perf server --once --json",
            "  metaroce perf server --bind 192.0.2.1 -p 18515",
            "%nThe client decides what is measured. A test or test option given here as well must be the same at the",
            "client; a difference is named on both sides. Exit 0: all bytes right; 1: not; 2: wrong usage."
        })
public final class PerfServerCommand implements Callable<Integer> {
    /** Runs kept for the JSON object at the end; earlier ones are dropped and counted. */
    private static final int RUNS_KEPT_MAX = 1_000;

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "TEST",
            description = "The test that clients must ask for (default: any)")
    @Nullable
    private String test;

    @Mixin
    private TestOptions testOptions = new TestOptions();

    @Mixin
    private HostOptions hostOptions = new HostOptions();

    @Option(names = "--once", description = "End after the first client")
    private boolean once;

    private final ArrayNode runs = JsonNodeFactory.instance.arrayNode();
    private long runsDropped;

    @Nullable
    private PeerConnection refusedClient;

    @Nullable
    private String refusal;

    @Override
    public Integer call() {
        Expectation expectation = expectation();
        try (StopSignal stop = new StopSignal();
                PerfNode perf = PerfNode.server(hostOptions)) {
            Screen screen = new Screen(spec.commandLine(), hostOptions.json);
            PerfServer server = new PerfServer(perf, expectation);
            server.start();
            PerfServer.RunListener listener = listener(screen);
            greet(perf, screen);
            while (!stop.isWanted() && !(once && isOnlyClientDone(server))) {
                server.doWork(listener);
            }
            server.close();
            if (once && refusal != null) {
                stop.exitCode(ExitCode.FAILED);
                throw new CommandFailure(refusal);
            }
            ObjectNode document = JsonNodeFactory.instance
                    .objectNode()
                    .put("schema_version", PerfJson.SCHEMA_VERSION)
                    .put("runs_dropped", runsDropped);
            document.set("results", runs);
            screen.json(document);
            if (server.wrongBytes() > 0) {
                stop.exitCode(ExitCode.FAILED);
                throw new CommandFailure(server.wrongBytes() + " bytes were wrong");
            }
            stop.exitCode(ExitCode.OK);
            return ExitCode.OK;
        }
    }

    /** A refused client hangs up when it has read why; leaving before that would take the words away from it. */
    private boolean isOnlyClientDone(PerfServer server) {
        return server.firstClientIsDone()
                || (refusedClient != null && refusedClient.closed().isDone());
    }

    private Expectation expectation() {
        try {
            return new Expectation(test == null ? null : PerfTest.of(test), testOptions);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private void greet(PerfNode perf, Screen screen) {
        if (!perf.listensOnLoopback()) {
            screen.note("warning: --bind: clients from other hosts are not authenticated; anyone who reaches port "
                    + perf.node().controlPort() + " can use it");
        }
        perf.node()
                .ports()
                .forEach(port -> screen.table(" local address: " + port.address() + " UDP " + port.udpPort() + ", "
                        + port.capabilities().description()));
        screen.table("************************************");
        screen.table("* Waiting for clients on TCP port " + perf.node().controlPort()
                + (once ? " (one)" : ", until Ctrl-C"));
        screen.table("************************************");
    }

    private PerfServer.RunListener listener(Screen screen) {
        return new PerfServer.RunListener() {
            @Override
            public void onRunEnded(PerfServer.ServedRun run, String reason) {
                PerfServerCommand.this.onRunEnded(screen, run, reason);
            }

            @Override
            public void onRefused(PeerConnection client, String why) {
                refusedClient = client;
                refusal = "client " + client.remote() + " refused: " + why;
                if (!once) {
                    screen.note(refusal);
                }
            }
        };
    }

    private void onRunEnded(Screen screen, PerfServer.ServedRun run, String reason) {
        RunSpec spec = run.spec();
        screen.table(String.format(
                Locale.ROOT,
                " %s: %d bytes x %d on %d qp: #wrong %d%s%s",
                spec.test().word(),
                spec.sizeBytes(),
                run.messages(),
                spec.queuePairs(),
                run.wrongBytes(),
                spec.isVerified() ? "" : " (not verified)",
                reason.startsWith("closed") ? "" : " (" + reason + ")"));
        if (runs.size() == RUNS_KEPT_MAX) {
            runs.remove(0);
            runsDropped++;
        }
        runs.addObject()
                .put("test", spec.test().word())
                .put("MsgSize", spec.sizeBytes())
                .put("n_iterations", run.messages())
                .put("qps", spec.queuePairs())
                .put("verified", spec.isVerified())
                .put("Wrong", run.wrongBytes())
                .put("end", reason);
    }
}
