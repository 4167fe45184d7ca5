// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.metaroce.control.cli.CommandFailure;
import io.metaroce.control.cli.ExitCode;
import io.metaroce.control.connect.ConnectFailure;
import io.metaroce.control.connect.PeerConnection;
import io.metaroce.wrap.FaultCounter;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code metaroce perf client}: connects, measures, prints the table. */
@Command(
        name = "client",
        description = "Measure against a perf server",
        footerHeading = "%nExamples:%n",
        footer = {
            "  metaroce perf client 192.0.2.1 write_bw -s 1M -D 10s",
            "  metaroce perf client fe80::1%%eth0 send_lat -n 10000",
            "  metaroce perf client localhost write_bw -a --json",
            "  metaroce perf client localhost write_bw -s 1M --faults loss=1%%,seed=7",
            "%nBandwidth is that of messages checked at the receiver, from the first post until the last was",
            "known to be right. A latency is half of a round trip. #retrans, #timeouts, #dup and #lost are of both",
            "sides together; #wrong counts bytes. Exit 0: all bytes right; 1: not, or no peer; 2: wrong usage."
        })
public final class PerfClientCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "HOST", description = "Name or address of the server; fe80::1%%eth0 too")
    private String host;

    @Parameters(index = "1", paramLabel = "TEST", description = "write_bw, write_lat, send_bw or send_lat")
    private String test;

    @Mixin
    private TestOptions testOptions = new TestOptions();

    @Mixin
    private HostOptions hostOptions = new HostOptions();

    @Option(names = "--report_gbits", description = "Bandwidth in Gb/sec instead of MiB/sec")
    private boolean isInGigabits;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationText.class,
            description = "How long to wait for the server (default ${DEFAULT-VALUE})")
    private Duration timeout = Duration.ZERO;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            defaultValue = "500ms",
            converter = DurationText.class,
            description = "Run before the first row, checked but not measured (default ${DEFAULT-VALUE})")
    private Duration warmUp = Duration.ZERO;

    @Override
    public Integer call() {
        Plan plan;
        try {
            plan = Plan.of(PerfTest.of(test), testOptions);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        try (StopSignal stop = new StopSignal();
                PerfNode perf = PerfNode.client(hostOptions, host)) {
            Screen screen = new Screen(spec.commandLine(), hostOptions.json);
            int code = measure(new Session(plan, perf, stop, screen));
            stop.exitCode(code);
            return code;
        }
    }

    /** What the parts of one call share. */
    private record Session(
            Plan plan, PerfNode perf, StopSignal stop, Screen screen, ObjectNode info, List<PerfResult> results) {
        Session(Plan plan, PerfNode perf, StopSignal stop, Screen screen) {
            this(plan, perf, stop, screen, JsonNodeFactory.instance.objectNode(), new ArrayList<>());
        }
    }

    private int measure(Session session) {
        PerfTable table = new PerfTable(session.plan.test().isLatency(), isInGigabits, false);
        try {
            PeerConnection peer = session.perf.node().connect(host, hostOptions.port, timeout, session.screen::note);
            int payloadBytes = awaitReady(peer);
            boolean faultsAreOn = !hostOptions.faults.isEmpty()
                    || Report.ask(session.perf, peer, timeout).offeredToFaults() > 0;
            table = new PerfTable(session.plan.test().isLatency(), isInGigabits, faultsAreOn);
            describe(session, peer, payloadBytes);
            Banner.lines(session.plan, session.perf.node(), peer, payloadBytes).forEach(session.screen::table);
            notePaths(session, peer);
            if (!peer.blackHole(payloadBytes).isEmpty()) {
                session.screen.note(peer.blackHole(payloadBytes));
            }
            session.screen.table(table.header());
            runAll(session, new PerfClient(session.perf, peer, new Watch(peer, session.stop), timeout), table);
            peer.close("perf is done");
        } catch (ConnectFailure e) {
            throw new CommandFailure(String.valueOf(e.getMessage()), e);
        } finally {
            if (!session.results.isEmpty()) {
                session.screen.table(PerfTable.RULE);
                session.screen.json(PerfJson.document(session.info, table, session.results));
            }
        }
        return verdict(session);
    }

    private void runAll(Session session, PerfClient client, PerfTable table) throws ConnectFailure {
        Plan plan = session.plan;
        long seed = new SecureRandom().nextLong();
        for (long size : plan.sizes()) {
            if (session.stop.isWanted()) {
                session.screen.note("stopped");
                return;
            }
            boolean isLive = plan.limit().isTimed() && !plan.test().isLatency();
            Measurement.Progress progress =
                    isLive ? new LiveLine(session.screen, table, size) : Measurement.Progress.NONE;
            Duration before = session.results.isEmpty() ? warmUp : Duration.ZERO;
            PerfResult result = client.run(plan.spec(size, seed++), plan.limit(), before, progress);
            session.results.add(result);
            session.screen.table(table.row(result));
        }
    }

    /** The smaller of both sides is in force; who asked for more is told. */
    private void notePaths(Session session, PeerConnection peer) {
        int paths = peer.limits().paths();
        if (hostOptions.paths > paths) {
            session.screen.note("--paths: " + hostOptions.paths + " asked for, the server permits " + paths);
        }
    }

    private int awaitReady(PeerConnection peer) throws ConnectFailure {
        try {
            return peer.ready().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConnectFailure("interrupted");
        } catch (ExecutionException e) {
            throw new ConnectFailure("no packets pass between here and " + peer.remote() + ": "
                    + (e.getCause() == null ? e : e.getCause()).getMessage());
        } catch (TimeoutException e) {
            throw new ConnectFailure(
                    "no packets pass between here and " + peer.remote() + " within " + timeout.toMillis()
                            + " ms, although its control channel answers: look at UDP ports and firewalls");
        }
    }

    private void describe(Session session, PeerConnection peer, int payloadBytes) {
        Plan plan = session.plan;
        ObjectNode info = session.info;
        info.put("test", plan.test().word())
                .put("device", session.perf.node().name())
                .put("peer", peer.peerNode())
                .put("remote", peer.remote())
                .put("qps", plan.queuePairs())
                .put("paths", peer.limits().paths())
                .put("planes", peer.peerPlanes().size())
                .put("payload_bytes", payloadBytes)
                .put("verified", plan.isVerified())
                .put("faults", hostOptions.faults)
                .put("warmup_seconds", warmUp.toMillis() / 1e3);
        if (plan.limit().isTimed()) {
            info.put("duration_seconds", plan.limit().durationNs() / 1e9);
        }
    }

    /** Wrong bytes fail the run, and so do faults that were asked for and touched nothing. */
    private int verdict(Session session) {
        long wrong = session.results.stream().mapToLong(PerfResult::wrongBytes).sum();
        if (wrong > 0) {
            throw new CommandFailure(wrong + " bytes were wrong");
        }
        boolean isUntouched = session.perf.node().count(FaultCounter.OFFERED) == 0;
        if (!hostOptions.faults.isEmpty() && isUntouched && !session.results.isEmpty()) {
            throw new CommandFailure("INVALID: faults were asked for, but no packet passed them");
        }
        return ExitCode.OK;
    }
}
