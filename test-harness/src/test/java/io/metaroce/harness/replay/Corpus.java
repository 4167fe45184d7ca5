// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

/** A capture just made, and what only its maker knows. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Corpus(byte[] capture, int lostPackets, int lostData, long durationNs) {}
