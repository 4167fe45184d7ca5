// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import io.metaroce.control.cli.Command;
import io.metaroce.control.cli.CommandFailure;
import io.metaroce.control.cli.CommandGroup;
import io.metaroce.control.cli.ExitCode;
import io.metaroce.control.config.ConfigException;
import io.metaroce.control.config.LoadedConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code metaroce daemon}: runs a node until a signal ends it. */
@CommandLine.Command(
        name = "daemon",
        description = "Run the daemon: lanes, control channel, metrics",
        footerHeading = "%nSignals:%n",
        footer = {
            "  TERM, INT   stop taking work, let running work finish, end with 0; a second one ends at once",
            "  HUP         load the configuration again; a wrong one is refused and the old one stays",
            "  QUIT        print all threads",
            "%nExamples:%n",
            "  metaroce daemon --config /etc/metaroce/metaroced.yaml",
            "  metaroce daemon --set ports[0].address=192.0.2.1 --set log.level=debug"
        })
public final class DaemonCommand implements Command {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Configuration file; none: defaults")
    private @Nullable Path file;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Override one key; repeatable")
    private @Nullable List<String> sets;

    @Spec
    private CommandSpec spec;

    @Override
    public CommandGroup group() {
        return CommandGroup.RUN;
    }

    @Override
    public Integer call() throws InterruptedException {
        LinkedBlockingQueue<String> signals = new LinkedBlockingQueue<>();
        // First of all, so that a reload never finds the signal's default meaning, which is to end the process (B99).
        for (String name : List.of("HUP", "TERM", "INT")) {
            Signals.handle(name, signals::add);
        }
        Reloader reloader = new Reloader(file, System.getenv(), sets == null ? List.of() : sets);
        LoadedConfig config = load(reloader);
        LogLevel.set(config.config().logLevel());
        config.warnings().forEach(warning -> err().println("warning: " + warning));
        err().flush();
        try (Daemon daemon = Daemon.start(config.config(), NodeOptions.SERVING)) {
            SystemdNotifier systemd = new SystemdNotifier(System.getenv());
            out().println(readyLine(daemon));
            out().flush();
            systemd.ready("serving");
            new DaemonLoop(daemon, reloader, config, signals, systemd).run();
            return ExitCode.OK;
        } catch (StartFailure e) {
            throw new CommandFailure(String.valueOf(e.getMessage()), e);
        }
    }

    private LoadedConfig load(Reloader reloader) {
        try {
            return reloader.load();
        } catch (ConfigException e) {
            List<String> problems = e.problems();
            problems.subList(0, problems.size() - 1).forEach(problem -> err().println("metaroce: " + problem));
            throw new CommandFailure(problems.get(problems.size() - 1), e);
        }
    }

    /** One line for people and scripts: words of the form name=value. */
    static String readyLine(Daemon daemon) {
        Node node = daemon.node();
        StringBuilder line = new StringBuilder("READY node=").append(node.name());
        line.append(" pid=").append(ProcessHandle.current().pid());
        String bind = node.config().control().bind();
        line.append(" control=").append(endpoint(bind, node.controlPort()));
        if (daemon.metricsPort() >= 0) {
            line.append(" metrics=http://")
                    .append(endpoint(node.config().metrics().bind(), daemon.metricsPort()))
                    .append("/metrics");
        }
        for (Node.PortInfo port : node.ports()) {
            if (port.lane() == 0) {
                line.append(' ').append(port.name()).append('=').append(endpoint(port.address(), port.udpPort()));
            }
        }
        return line.toString();
    }

    private static String endpoint(String address, int port) {
        return (address.indexOf(':') >= 0 ? "[" + address + "]" : address) + ":" + port;
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }
}
