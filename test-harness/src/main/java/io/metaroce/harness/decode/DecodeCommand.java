// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.decode;

import io.metaroce.control.cli.Command;
import io.metaroce.control.cli.CommandFailure;
import io.metaroce.control.cli.CommandGroup;
import io.metaroce.control.cli.ExitCode;
import io.metaroce.pcap.CaptureReader;
import io.metaroce.pcap.PacketRecord;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.ReadableByteChannel;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code metaroce decode}: one line for each packet of a capture. */
@CommandLine.Command(
        name = "decode",
        description = "Print one line per packet of a capture (pcap, pcapng)",
        footerHeading = "%nExamples:%n",
        footer = {
            "  metaroce decode capture.pcapng",
            "  metaroce decode --filter type=ACK,path=3 -n 10 capture.pcap",
            "  tcpdump -i eth0 -w - udp | metaroce decode --json -",
            "%nA line names, as far as the capture has them: frame, seconds since the first packet, source,",
            "destination, ECN, packet type or operation, fields, verdict on the CRC; ! a problem, # a comment.",
            "Exit 0: all decoded; 1: not all; 2: wrong usage."
        })
public final class DecodeCommand implements Command {
    /** Lines between two looks at whether anybody still reads them. */
    private static final int LINES_PER_CHECK = 256;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "Capture file; - is standard input")
    private String file;

    @Option(names = "--json", description = "Print one JSON object per packet")
    private boolean json;

    @Option(
            names = "--port",
            paramLabel = "PORT[-LAST]",
            defaultValue = "4795-4858",
            description = "UDP destination ports that carry MOP (default ${DEFAULT-VALUE})")
    private String port = "";

    @Option(
            names = "-n",
            paramLabel = "N",
            defaultValue = "0",
            description = "Stop after N printed packets (default: print all)")
    private long lines;

    @Option(
            names = "--filter",
            paramLabel = "KEY=VALUE,...",
            defaultValue = "",
            description = "Print packets whose fields are so, by the keys of --json; != is the opposite")
    private String filter = "";

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
        if (lines < 0) {
            throw new ParameterException(spec.commandLine(), "-n is " + lines + ", must be 1 or more");
        }
        FieldFilter terms = filter();
        boolean isStandardInput = file.equals("-");
        try (ReadableByteChannel channel = CaptureFile.open(file)) {
            return decode(channel, new FrameDescriber(ports), terms, isStandardInput);
        }
    }

    private FieldFilter filter() {
        try {
            return filter.isEmpty() ? FieldFilter.ALL : FieldFilter.parse(filter);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--filter: " + e.getMessage(), e);
        }
    }

    private int decode(ReadableByteChannel channel, FrameDescriber describer, FieldFilter terms, boolean isLive)
            throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        CaptureReader reader = new CaptureReader(channel);
        PacketRecord packet = new PacketRecord();
        DecodeSummary summary = new DecodeSummary();
        Line line = new Line();
        LineText text = new LineText();
        LineJson objects = new LineJson();
        long printed = 0;
        while ((lines == 0 || printed < lines) && reader.next(packet)) {
            if (!describer.describe(reader, packet, line)) {
                summary.countUnknown(packet.linkType());
            }
            summary.count(line);
            if (!terms.passes(line)) {
                continue;
            }
            out.append(json ? objects.of(line) : text.of(line)).append('\n');
            printed++;
            // A reader that went away, as head does, ends the work without complaint.
            if ((isLive || printed % LINES_PER_CHECK == 0) && out.checkError()) {
                return ExitCode.OK;
            }
        }
        out.flush();
        if (reader.isNoCapture()) {
            throw new CommandFailure(file + ": " + reader.endedEarly());
        }
        return summary.print(reader, err) ? ExitCode.OK : ExitCode.FAILED;
    }
}
