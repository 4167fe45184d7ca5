// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The root command line: commands found, help grouped, every failure one line with its exit code. */
public final class Frame {
    private final CommandLine root;

    private Frame(CommandLine root) {
        this.root = root;
    }

    /** Finds every command on the class path. */
    public static Frame load(PrintWriter out, PrintWriter err) {
        List<Command> found = new ArrayList<>();
        ServiceLoader.load(Command.class).forEach(found::add);
        return of(found, out, err);
    }

    /** A frame around exactly these commands, for tests. */
    public static Frame of(List<Command> commands, PrintWriter out, PrintWriter err) {
        CommandLine root = new CommandLine(new RootCommand());
        List<Command> sorted = new ArrayList<>(commands);
        sorted.sort(Comparator.comparing(Command::group).thenComparing(Frame::nameOf));
        for (Command command : sorted) {
            root.addSubcommand(command);
        }
        configure(root, out, err);
        return new Frame(root);
    }

    /** Parses, runs, and returns an {@link ExitCode}; never throws. */
    public int execute(String... arguments) {
        try {
            return root.execute(arguments);
        } catch (Error e) { // an assertion, or a class or library that is not there; picocli passes only exceptions on
            return Failures.onError(e, root);
        }
    }

    private static void configure(CommandLine root, PrintWriter out, PrintWriter err) {
        root.setOut(out);
        root.setErr(err);
        root.setColorScheme(Help.defaultColorScheme(Terminal.colourIsWanted() ? Help.Ansi.ON : Help.Ansi.OFF));
        root.setUsageHelpWidth(100);
        root.setCaseInsensitiveEnumValuesAllowed(true);
        root.setAbbreviatedOptionsAllowed(false);
        root.setParameterExceptionHandler(Failures::onUsageError);
        root.setExecutionExceptionHandler(Failures::onFailure);
        root.getHelpSectionMap()
                .put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, help -> GroupedCommandList.render(root));
        root.getCommandSpec().usageMessage().commandListHeading("");
        root.getCommandSpec()
                .addOption(OptionSpec.builder("-V", "--version")
                        .versionHelp(true)
                        .description("Show version, commit, Java and wire profile")
                        .build());
        addHelpOption(root);
    }

    /** Gives every command, however deep, a {@code -h, --help} unless it brings its own. */
    private static void addHelpOption(CommandLine command) {
        if (command.getCommandSpec().findOption("--help") == null) {
            String[] names = command.getCommandSpec().findOption('h') == null
                    ? new String[] {"-h", "--help"}
                    : new String[] {"--help"};
            command.getCommandSpec()
                    .addOption(OptionSpec.builder(names)
                            .usageHelp(true)
                            .description("Show this help and exit")
                            .build());
        }
        command.getSubcommands().values().forEach(Frame::addHelpOption);
    }

    private static String nameOf(Command command) {
        return command.getClass().getAnnotation(CommandLine.Command.class).name();
    }
}
