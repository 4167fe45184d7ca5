// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.metaroce.control.cli.Command;
import io.metaroce.control.cli.CommandFailure;
import io.metaroce.control.cli.CommandGroup;
import io.metaroce.control.cli.ExitCode;
import io.metaroce.harness.decode.CaptureFile;
import io.metaroce.harness.decode.PortRange;
import io.metaroce.pcap.CaptureReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code metaroce replay}: what went wrong in a capture, with the frames that show it. */
@CommandLine.Command(
        name = "replay",
        description = "Judge a capture: broken rules, losses, retransmissions, round trips, stalls",
        footerHeading = "%nExamples:%n",
        footer = {
            "  metaroce replay capture.pcapng",
            "  metaroce replay --html report.html capture.pcap",
            "%nneeded: an ACK had proven the loss, or the first copy never came to the tap;",
            "spurious: it was acknowledged already; unproven: the capture shows neither;",
            "late: more than a round trip, and a millisecond, after the proof.",
            "Memory does not grow with the file. Exit 0: no rule is broken; 1: one is, or the file is no capture.",
        })
public final class ReplayCommand implements Command {
    private static final long NS_PER_MS = 1_000_000;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "Capture file; - is standard input")
    private String file;

    @Option(names = "--json", description = "Print one JSON object per connection, rule and event, then the sums")
    private boolean json;

    @Option(names = "--html", paramLabel = "FILE", description = "Write a page with plots as well")
    private @Nullable Path html;

    @Option(
            names = "--port",
            paramLabel = "PORT[-LAST]",
            defaultValue = "4795-4858",
            description = "UDP destination ports that carry MOP (default ${DEFAULT-VALUE})")
    private String port = "";

    @Option(
            names = "--stall",
            paramLabel = "MS",
            defaultValue = "10",
            description = "Silence with data outstanding that is told as a stall (default ${DEFAULT-VALUE})")
    private long stallMs;

    @Override
    public CommandGroup group() {
        return CommandGroup.INSPECT;
    }

    @Override
    public Integer call() throws IOException {
        PortRange ports = PortRange.parse(port);
        if (ports == null) {
            throw new ParameterException(
                    spec.commandLine(), "--port is '" + port + "', must be 1..65535 or FIRST-LAST");
        }
        if (stallMs < 1 || stallMs > 3_600_000) {
            throw new ParameterException(spec.commandLine(), "--stall is " + stallMs + ", must be 1..3600000");
        }
        try (ReadableByteChannel channel = CaptureFile.open(file)) {
            CaptureScan scan = new CaptureScan(new CaptureReader(channel), ports, stallMs * NS_PER_MS);
            scan.run();
            String refusal = scan.refusal();
            if (refusal != null) {
                throw new CommandFailure(file + ": " + refusal);
            }
            report(scan);
            return scan.judge.findings.total() == 0 ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    private void report(CaptureScan scan) throws IOException {
        ObjectNode report = ReplayReport.of(scan);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            ObjectMapper mapper = new ObjectMapper();
            for (String part : new String[] {"connections", "violations", "events"}) {
                for (var node : report.get(part)) {
                    out.println(mapper.writeValueAsString(node));
                }
            }
            out.println(mapper.writeValueAsString(report.get("sums")));
            out.flush();
        } else {
            new ReplayText(out).print(report);
        }
        for (String warning : scan.warnings()) {
            spec.commandLine().getErr().println("metaroce: warning: " + warning);
        }
        spec.commandLine().getErr().flush();
        if (html != null) {
            try {
                Files.writeString(html, ReplayHtml.of(report, file));
            } catch (IOException e) {
                throw new CommandFailure(html + " cannot be written; choose another with --html FILE", e);
            }
        }
    }
}
