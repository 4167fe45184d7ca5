// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.baseline;

/**
 * How the baseline is set up.
 *
 * @param payloadBytes of a full packet
 * @param windowPackets packets that may be unacknowledged
 * @param lineRate bits per second of the host's link
 * @param timeoutNs after which it goes back without a NAK; 4.096 us times a power of two in the standard
 */
public record RoceSettings(int payloadBytes, int windowPackets, double lineRate, long timeoutNs) {}
