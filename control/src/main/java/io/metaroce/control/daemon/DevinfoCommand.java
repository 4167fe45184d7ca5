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
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code metaroce devinfo}: the configured ports as {@code ibv_devinfo} shows devices, opened to see what they offer. */
@CommandLine.Command(
        name = "devinfo",
        description = "Show devices and limits in the shape of ibv_devinfo",
        footerHeading = "%nExamples:%n",
        footer = {
            "  metaroce devinfo",
            "  metaroce devinfo -v --set ports[0].address=eth0",
            "  metaroce devinfo --config metaroced.yaml --json"
        })
public final class DevinfoCommand implements Command {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Configuration file; none: defaults")
    private @Nullable Path file;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Override one key; repeatable")
    private @Nullable List<String> sets;

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "NAME",
            description = "Show this device only")
    private @Nullable String device;

    @Option(
            names = {"-l", "--list"},
            description = "Show only the names")
    private boolean list;

    @Option(
            names = {"-v", "--verbose"},
            description = "Show every limit too")
    private boolean verbose;

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
        DaemonConfig config = chosen(load());
        if (list) {
            out().println(config.ports().size() + " device" + (config.ports().size() == 1 ? "" : "s") + " found:");
            config.ports().forEach(port -> out().println("\t" + port.name()));
            return ExitCode.OK;
        }
        List<DeviceInfo> devices;
        try {
            devices = DeviceInfo.probe(config);
        } catch (StartFailure e) {
            throw new CommandFailure(String.valueOf(e.getMessage()), e);
        }
        if (json) {
            ObjectNode root = JsonNodeFactory.instance.objectNode();
            devices.forEach(each -> root.withArrayProperty("devices").add(each.json()));
            out().println(ConfigCommand.pretty(root));
        } else {
            devices.forEach(each -> out().print(each.text(verbose)));
        }
        return ExitCode.OK;
    }

    private DaemonConfig load() {
        try {
            return ConfigLoader.load(file, System.getenv(), sets == null ? List.of() : sets)
                    .config();
        } catch (ConfigException e) {
            throw new CommandFailure(e.problems().get(0), e);
        }
    }

    private DaemonConfig chosen(DaemonConfig config) {
        if (device == null) {
            return config;
        }
        List<String> names = new ArrayList<>();
        for (DaemonConfig.PortConfig port : config.ports()) {
            if (port.name().equals(device)) {
                return DeviceInfo.withPorts(config, List.of(port));
            }
            names.add(port.name());
        }
        throw new CommandFailure("no device " + device + "; there are: " + String.join(", ", names));
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
