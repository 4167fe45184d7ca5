// SPDX-License-Identifier: Apache-2.0
/**
 * The command line: the frame around every command, and the {@link io.metaroce.control.cli.Command} SPI.
 *
 * <p>Every module adds its commands as a {@code Command} named in {@code META-INF/services}; this room groups them in the
 * help, maps their results to exit codes (0 done, 1 failed, 2 wrong usage) and turns every failure into one line.
 *
 * <p>Threads: the main thread only. May depend on: picocli, the JDK. Must not: know a single command of another room, print a
 * stack trace (unless METAROCE_DEBUG=1), use colour when the output is not a terminal.
 */
@NullMarked
package io.metaroce.control.cli;

import org.jspecify.annotations.NullMarked;
