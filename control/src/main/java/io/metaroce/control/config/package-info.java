// SPDX-License-Identifier: Apache-2.0
/**
 * The daemon's configuration: one table of options, one strict reader, one set of records.
 *
 * <p>Purpose: turn files, environment and flags into a {@link io.metaroce.control.config.DaemonConfig} or into lines that
 * name file, line, key, value and allowed range. Threads: any; everything is a value. May depend on: Jackson, wrap
 * (what faults there are). Must not:
 * open ports, log, or know the rest of the daemon.
 */
@NullMarked
package io.metaroce.control.config;

import org.jspecify.annotations.NullMarked;
