// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Options about this host, the same for server and client. */
final class HostOptions {
    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            defaultValue = "18515",
            description = "TCP port of the server (default ${DEFAULT-VALUE})")
    int port;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS[,ADDRESS...]",
            split = ",",
            description = "Local addresses, one for each plane (default: server 127.0.0.1; client: towards HOST)")
    List<String> bind = new ArrayList<>();

    @Option(names = "--paths", paramLabel = "N", description = "Paths of the connection, 1 to 255 (default 8)")
    int paths;

    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "BYTES",
            converter = SizeText.class,
            description = "Largest payload of a packet, a power of two, 256 to 8192 (default 8192)")
    long payloadBytesMax;

    @Option(
            names = "--faults",
            paramLabel = "LIST",
            defaultValue = "",
            description = "Faults of this side, for example loss=1%%,reorder=2%%,dup=0.1%%,seed=7; the table then has"
                    + " a column of what was lost")
    String faults = "";

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Any option of the daemon's configuration; see: metaroce config dump")
    List<String> settings = new ArrayList<>();

    @Option(
            names = "--json",
            description = "Results as one JSON object, the last line of standard output; all else on standard error")
    boolean json;

    @Option(
            names = {"-F", "--CPU-freq"},
            description = "Accepted for perftest's sake; processor frequencies are not looked at")
    boolean ignoredFrequency;
}
