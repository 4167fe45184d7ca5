// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns everything that goes wrong into one line on standard error and an {@link ExitCode}. */
final class Failures {
    static final String MISSING_COMMAND = "a command is missing";

    private Failures() {}

    /** The command line was wrong: name the mistake, the nearest right word, and where all words are listed. */
    static int onUsageError(ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        if (arguments.length == 0 && MISSING_COMMAND.equals(e.getMessage())) {
            command.usage(command.getErr());
            return ExitCode.USAGE;
        }
        String line = describe(e) + " (see " + name + " --help)";
        print(command.getErr(), line, e);
        return ExitCode.USAGE;
    }

    /** The command ran and threw. */
    static int onFailure(Exception e, CommandLine command, @Nullable ParseResult parsed) {
        if (e instanceof CommandFailure) {
            print(command.getErr(), textOf(e), e);
        } else if (e instanceof IOException) {
            print(command.getErr(), "input or output failed: " + e.getClass().getSimpleName() + ": " + textOf(e), e);
        } else {
            return onError(e, command);
        }
        return ExitCode.FAILED;
    }

    /** A defect of ours. */
    static int onError(Throwable e, CommandLine command) {
        String hint = debugIsWanted() ? "" : " (a defect of ours; METAROCE_DEBUG=1 shows where)";
        print(command.getErr(), "internal error: " + e.getClass().getSimpleName() + ": " + textOf(e) + hint, e);
        return ExitCode.FAILED;
    }

    private static String describe(ParameterException e) {
        if (!(e instanceof UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().isEmpty()) {
            String text = textOf(e);
            return text.isEmpty()
                    ? "the arguments are wrong"
                    : text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
        }
        String word = unmatched.getUnmatched().get(0);
        CommandLine command = e.getCommandLine();
        boolean isOption = word.startsWith("-") && word.length() > 1;
        boolean isCommand = !isOption && !command.getSubcommands().isEmpty();
        List<String> known = isOption
                ? command.getCommandSpec().options().stream()
                        .filter(option -> !option.hidden())
                        .flatMap(option -> List.of(option.names()).stream())
                        .toList()
                : List.copyOf(command.getSubcommands().keySet());
        String kind = isOption ? "unknown option" : isCommand ? "unknown command" : "unexpected argument";
        String near = NearestWord.of(word, known);
        return kind + " '" + word + "'" + (near == null ? "" : ", did you mean '" + near + "'?");
    }

    private static void print(PrintWriter err, String line, Throwable e) {
        err.println("metaroce: " + line);
        if (debugIsWanted()) {
            e.printStackTrace(err);
        }
        err.flush();
    }

    /** The message on one line, whatever a library put into it. */
    private static String textOf(Throwable e) {
        String message = e.getMessage();
        return message == null ? "no message" : message.strip().replaceAll("\\s*\\R\\s*", "; ");
    }

    private static boolean debugIsWanted() {
        return "1".equals(System.getenv("METAROCE_DEBUG"));
    }
}
