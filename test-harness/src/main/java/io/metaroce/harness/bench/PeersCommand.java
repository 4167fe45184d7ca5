// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** {@code metaroce bench peers}: every peer once, then all again, so that what drifts drifts for all. */
@CommandLine.Command(
        name = "peers",
        description = "Measure other transports and ours in turn, and print medians and ratios",
        footerHeading = "%nExamples:%n",
        footer = {
            "  metaroce bench peers",
            "  metaroce bench peers --rounds 5 --seconds 3 --json",
            "  metaroce bench peers --only ours_udp_1M,aeron_4096",
            "",
            "Absolute numbers hold for this machine in this minute; the ratios are what is comparable."
        })
final class PeersCommand implements Callable<Integer> {
    private static final int ROUNDS_FULL = 7;

    @CommandLine.Option(
            names = "--json",
            description = "Print one JSON object, the last line; all else on standard error.")
    private boolean isJson;

    @CommandLine.Option(names = "--full", description = "Seven rounds, loss of 0.1 and 10 %% too.")
    private boolean isFull;

    @CommandLine.Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Runs of each peer (default: ${DEFAULT-VALUE}, with --full 7).")
    private int rounds = 3;

    @CommandLine.Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Length of each run, without its warm-up (default: ${DEFAULT-VALUE}).")
    private int seconds = 2;

    @CommandLine.Option(names = "--only", split = ",", paramLabel = "ROW", description = "Only these rows.")
    private List<String> only = List.of();

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter people =
                isJson ? spec.commandLine().getErr() : spec.commandLine().getOut();
        PeersReport report = new PeersReport();
        try (LossyLink link = new LossyLink()) {
            List<Peer> peers = present(peers(link), report);
            int turns = isFull ? Math.max(rounds, ROUNDS_FULL) : rounds;
            for (int round = 1; round <= turns; round++) {
                for (Peer peer : List.copyOf(peers)) {
                    people.println("round " + round + " of " + turns + ": " + peer.row());
                    people.flush();
                    run(peer, peers, report);
                }
            }
        }
        report.print(people);
        if (isJson) {
            spec.commandLine().getOut().println(report.json());
        }
        return 0;
    }

    private void run(Peer peer, List<Peer> peers, PeersReport report) throws InterruptedException {
        try {
            report.add(peer, peer.run(seconds));
        } catch (IOException e) {
            peers.remove(peer);
            report.skip(peer.row(), String.valueOf(e.getMessage()));
        }
    }

    private List<Peer> present(List<Peer> wanted, PeersReport report) {
        List<String> rows = wanted.stream().map(Peer::row).toList();
        for (String row : only) {
            if (!rows.contains(row)) {
                throw new CommandLine.ParameterException(
                        spec.commandLine(), "--only: no row '" + row + "'; there are " + String.join(", ", rows));
            }
        }
        List<Peer> present = new ArrayList<>();
        for (Peer peer : wanted) {
            if (!only.isEmpty() && !only.contains(peer.row())) {
                continue;
            }
            @Nullable String missing = peer.missing();
            if (missing == null) {
                present.add(peer);
            } else {
                report.skip(peer.row(), missing);
            }
        }
        return present;
    }

    private List<Peer> peers(LossyLink link) {
        List<Peer> peers = new ArrayList<>();
        peers.add(new OursPeer(PeersReport.OURS_LARGE, "write_bw", Peer.LARGE, List.of()));
        peers.add(new OursPeer(PeersReport.OURS_4096, "write_bw", Peer.LARGE, List.of("-m", "4096", "--no-verify")));
        for (Loop loop : Loop.values()) {
            peers.add(new LoopPeer(loop));
        }
        peers.addAll(List.of(ToolPeer.values()));
        peers.add(new OursPeer(PeersReport.OURS_RATE, "write_bw", Peer.SMALL, List.of("-t", "1024")));
        peers.add(new OursPeer(PeersReport.OURS_LATENCY, "write_lat", Peer.SMALL, List.of()));
        peers.add(lossy("0", 0, link));
        peers.add(lossy("1", 1, link));
        if (isFull) {
            peers.add(lossy("01", 0.1, link));
            peers.add(lossy("10", 10, link));
        }
        return peers;
    }

    private static Peer lossy(String name, double percent, LossyLink link) {
        return new OursPeer(PeersReport.OURS_KEPT + name, "write_bw", Peer.LARGE, List.of("-m", "4096"), link, percent);
    }
}
