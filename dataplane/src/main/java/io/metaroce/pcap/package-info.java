// SPDX-License-Identifier: Apache-2.0
/**
 * Capture files: a reader and a writer of pcap and pcapng over channels they are given.
 *
 * <p>Purpose: packets with their times in and out of the two capture formats, in constant memory, whatever the bytes.
 * Threads: a reader or writer belongs to the thread that calls it. May depend on: nothing of ours. Must not: open
 * files, read clocks, know link layers or protocols, throw because of what a capture contains, or allocate for each
 * packet.
 */
@NullMarked
package io.metaroce.pcap;

import org.jspecify.annotations.NullMarked;
