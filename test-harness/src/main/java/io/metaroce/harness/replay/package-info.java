// SPDX-License-Identifier: Apache-2.0
/**
 * {@code metaroce replay}: judges anyone's capture, and says what went wrong in which frame.
 *
 * <p>Purpose: connections, paths and losses read from packets alone, in memory that does not grow with the file. Threads: the
 * caller's. May depend on: pcap, link, wire, port, control.cli, harness.decode. Must not: ask the transport what is right, or
 * throw because of what a capture contains.
 */
@NullMarked
package io.metaroce.harness.replay;

import org.jspecify.annotations.NullMarked;
