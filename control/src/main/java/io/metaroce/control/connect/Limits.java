// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

/**
 * Bounds of a connection: what a side can bear in CONNECT, what was decided in ACCEPT.
 *
 * @param payloadBytesMax largest payload of a packet, a power of two, 256 to 8192
 * @param csnWindowPackets connection sequence window, a power of two, 1024 to 16384
 * @param messageWindow messages of one stream under way, a power of two, 2 to 4096
 * @param streamsMax streams of the connection, 1 to 65535
 * @param paths paths of each direction, 1 to 255
 */
public record Limits(int payloadBytesMax, int csnWindowPackets, int messageWindow, int streamsMax, int paths) {
    /** The smaller of each bound. */
    public Limits smaller(Limits other) {
        return new Limits(
                Math.min(payloadBytesMax, other.payloadBytesMax),
                Math.min(csnWindowPackets, other.csnWindowPackets),
                Math.min(messageWindow, other.messageWindow),
                Math.min(streamsMax, other.streamsMax),
                Math.min(paths, other.paths));
    }
}
