// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

/**
 * How one side is reached through one plane.
 *
 * @param address IPv4 or IPv6 literal without scope: a scope means something on its own host only
 * @param udpPort where the lane of this connection receives, 1 to 65535
 * @param payloadBytesMax largest payload that fits the plane's frames, 256 to 65535
 * @param receiveBufferBytes receive buffer really obtained
 * @param burstPackets consecutive packets of one path the port carries best
 */
public record PlaneOffer(String address, int udpPort, int payloadBytesMax, long receiveBufferBytes, int burstPackets) {}
