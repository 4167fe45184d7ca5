// SPDX-License-Identifier: Apache-2.0
/**
 * {@code metaroce decode}: one line for each packet of a capture.
 *
 * <p>Purpose: what a capture says, to people and to scripts, from the same table of fields. Threads: the caller's. May
 * depend on: pcap, link, wire, port, control.cli. Must not: throw because of what a capture contains, or print bytes of it
 * that a terminal would obey.
 */
@NullMarked
package io.metaroce.harness.decode;

import org.jspecify.annotations.NullMarked;
