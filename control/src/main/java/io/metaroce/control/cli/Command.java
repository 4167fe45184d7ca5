// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.cli;

import java.util.concurrent.Callable;

/**
 * One command of {@code metaroce}, found by {@link java.util.ServiceLoader}.
 *
 * <p>An implementation is a public class with a public constructor without arguments, annotated with picocli's
 * {@code @Command(name = "...", description = "one line")}, and named in
 * {@code META-INF/services/io.metaroce.control.cli.Command} of its module. The constructor runs for every start of
 * {@code metaroce}, so it does nothing; static initialisers stay light for the same reason.
 *
 * <p>{@link #call} runs on the main thread and returns an {@link ExitCode}. Output for people or scripts goes to
 * {@code spec.commandLine().getOut()} (UTF-8, whatever the locale), everything else to {@code getErr()}. What an operator can
 * mend is thrown as {@link CommandFailure}: one line, exit 1.
 */
public interface Command extends Callable<Integer> {
    /** Under which heading of {@code metaroce --help} the command is listed. */
    CommandGroup group();

    /** Runs the command; returns an {@link ExitCode}. */
    @Override
    Integer call() throws Exception;
}
