// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.metaroce.control.cli.Command;
import io.metaroce.control.cli.CommandFailure;
import io.metaroce.control.cli.CommandGroup;
import io.metaroce.control.cli.ExitCode;
import io.metaroce.control.config.ConfigException;
import io.metaroce.control.config.ConfigLoader;
import io.metaroce.control.config.DaemonConfig;
import io.metaroce.control.daemon.HostCheck.Verdict;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code metaroce doctor}: what this host has for us, what each finding means, and what to do. */
@CommandLine.Command(
        name = "doctor",
        description = "Look at this host: what works, what is slow, what to do",
        footerHeading = "%nExamples:%n",
        footer = {
            "  metaroce doctor",
            "  metaroce doctor --config /etc/metaroce/metaroced.yaml",
            "",
            "MTU and ECN all the way to a peer are proven by packets: metaroce perf client HOST write_bw prints both.",
            "Exit 0: nothing is bad; 1: something does not work."
        })
public final class DoctorCommand implements Command {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Configuration whose ports are opened, too; none: defaults")
    private @Nullable Path file;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Override one key; repeatable")
    private @Nullable List<String> sets;

    @Option(names = "--json", description = "Print JSON")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public CommandGroup group() {
        return CommandGroup.INSPECT;
    }

    @Override
    public Integer call() {
        HostExamination examination = new HostExamination(Path.of("/"));
        examination.host(Runtime.version().feature(), Runtime.getRuntime().availableProcessors());
        List<HostCheck> checks = examination.portKinds();
        ports(checks, load());
        boolean isBad = checks.stream().anyMatch(each -> each.verdict() == Verdict.BAD);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            ObjectNode root = JsonNodeFactory.instance.objectNode();
            checks.forEach(each -> root.withArrayProperty("checks").add(each.json()));
            out.println(ConfigCommand.pretty(root.put("ok", !isBad)));
        } else {
            checks.forEach(each -> out.print(each.text()));
        }
        return isBad ? ExitCode.FAILED : ExitCode.OK;
    }

    /** Opens the configured ports for a moment, each probing what it can of its own host. */
    private static void ports(List<HostCheck> checks, DaemonConfig config) {
        try {
            for (DeviceInfo each : DeviceInfo.probe(config)) {
                checks.add(HostCheck.of(
                        "port " + each.config().name(),
                        each.capabilities().ecnSeen(),
                        Verdict.NOTE,
                        each.capabilities().description(),
                        "ECN marks do not arrive here: congestion is noticed by loss and delay alone."));
            }
        } catch (StartFailure e) {
            checks.add(new HostCheck("ports", Verdict.BAD, "cannot be opened", String.valueOf(e.getMessage())));
        }
    }

    private DaemonConfig load() {
        try {
            return ConfigLoader.load(file, System.getenv(), sets == null ? List.of() : sets)
                    .config();
        } catch (ConfigException e) {
            throw new CommandFailure(e.problems().get(0), e);
        }
    }
}
