// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.stat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.metaroce.control.cli.Command;
import io.metaroce.control.cli.CommandFailure;
import io.metaroce.control.cli.CommandGroup;
import io.metaroce.control.cli.ExitCode;
import io.metaroce.control.config.Units;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code metaroce stat}: what every connection of every node on this host is doing. */
@CommandLine.Command(
        name = "stat",
        description = "Show what every connection on this host is doing",
        footerHeading = "%nExamples:%n",
        footer = {
            "  metaroce stat",
            "  metaroce stat --top retransmits",
            "  metaroce stat --watch --interval 2s --top tx -n 5",
            "  metaroce stat --json",
            "%nReads the counter files of running nodes (counters.directory); they do not notice. Rates are those of the",
            "interval, RETRANS counts from the beginning. Exit 0: shown; 1: no node runs, or none can be read."
        })
public final class StatCommand implements Command {
    @Option(
            names = "--top",
            paramLabel = "COLUMN",
            description = "Largest first: ${COMPLETION-CANDIDATES} (default: in order of nodes)")
    private @Nullable StatColumn top;

    @Option(
            names = {"-n", "--rows"},
            paramLabel = "N",
            description = "Connections to show at most (default: all)")
    private int rows = Integer.MAX_VALUE;

    @Option(names = "--interval", paramLabel = "TIME", description = "Time between two readings (default: 1s)")
    private String interval = "1s";

    @Option(names = "--watch", description = "Go on until Ctrl-C")
    private boolean watch;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Where the counter files are (default: those of every user that can be read)")
    private @Nullable Path directory;

    @Option(names = "--json", description = "Print one JSON object for each reading")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public CommandGroup group() {
        return CommandGroup.INSPECT;
    }

    @Override
    public Integer call() throws InterruptedException {
        long intervalNs = intervalNs();
        List<NodeReader> nodes = open();
        nodes.forEach(node -> node.look(System.nanoTime()));
        do {
            TimeUnit.NANOSECONDS.sleep(intervalNs);
            List<ConnectionRow> found = new ArrayList<>();
            nodes.forEach(node -> found.addAll(node.rows(System.nanoTime())));
            print(chosen(found), found.size(), nodes.size());
        } while (watch && !out().checkError());
        return ExitCode.OK;
    }

    private long intervalNs() {
        try {
            long parsed = Units.parseNanoseconds(interval);
            if (parsed <= 0) {
                throw new IllegalArgumentException("must be above 0");
            }
            return parsed;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--interval: '" + interval + "': " + e.getMessage(), e);
        }
    }

    private List<NodeReader> open() {
        List<NodeReader> nodes = new ArrayList<>();
        List<String> unreadable = new ArrayList<>();
        try {
            if (directory != null && !Files.isDirectory(directory)) {
                throw new CommandFailure("--directory: " + directory + " is no directory");
            }
            List<Path> directories = directory == null ? CounterDirectory.all() : List.of(directory);
            for (Path file : CounterDirectory.living(directories)) {
                try {
                    nodes.add(NodeReader.open(file));
                } catch (IllegalArgumentException e) {
                    unreadable.add(file + ": " + e.getMessage());
                }
            }
        } catch (IOException e) {
            throw new CommandFailure(String.valueOf(e.getMessage()), e);
        }
        unreadable.forEach(spec.commandLine().getErr()::println);
        if (nodes.isEmpty()) {
            throw new CommandFailure(
                    "no running node can be read here; start one with: metaroce daemon, or name its --directory");
        }
        return nodes;
    }

    private List<ConnectionRow> chosen(List<ConnectionRow> found) {
        List<ConnectionRow> chosen = new ArrayList<>(found);
        if (top != null) {
            StatColumn column = top;
            chosen.sort(Comparator.comparingDouble((ConnectionRow row) -> row.key(column))
                    .reversed());
        }
        return chosen.subList(0, Math.max(0, Math.min(rows, chosen.size())));
    }

    private void print(List<ConnectionRow> chosen, int connections, int nodes) {
        if (json) {
            ObjectNode root = JsonNodeFactory.instance.objectNode().put("schema_version", 1);
            ArrayNode array = root.putArray("connections");
            chosen.forEach(row -> array.add(row.json()));
            out().println(root);
            return;
        }
        out().println(ConnectionRow.HEADER);
        chosen.forEach(row -> out().println(row.text()));
        if (chosen.size() < connections || connections == 0) {
            out().println(chosen.size() + " of " + connections + " connections of " + nodes
                    + (nodes == 1 ? " node" : " nodes"));
        }
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
