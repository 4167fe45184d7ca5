// SPDX-License-Identifier: Apache-2.0
/**
 * {@code metaroce compliance}: black-box cases against any implementation of the profile that UDP reaches.
 *
 * <p>Purpose: packet scripts played by a peer that controls every field, with a verdict and a capture for each case. Threads:
 * one for each case that runs, and one for the responder. May depend on: wire (the layout table only), pcap, control.cli,
 * control.config, control.daemon, control.connect, verbs, memory, harness.app, harness.decode. Must not: ask the transport what
 * is right, or build and read packets with the code under test.
 */
@NullMarked
package io.metaroce.harness.compliance;

import org.jspecify.annotations.NullMarked;
