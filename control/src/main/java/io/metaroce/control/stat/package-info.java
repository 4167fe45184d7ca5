// SPDX-License-Identifier: Apache-2.0
/**
 * What running nodes have counted, read from outside: their files of counters, and {@code metaroce stat}. It maps the files
 * read-only and takes nothing from the nodes; they do not know that somebody looks.
 *
 * <p>Threads: the command's own.
 *
 * <p>May depend on: counters, control.cli, control.config (how times are written). Must not: open connections, change a file.
 */
@NullMarked
package io.metaroce.control.stat;

import org.jspecify.annotations.NullMarked;
