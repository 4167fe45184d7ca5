// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

/**
 * What a controller must know of its connection.
 *
 * @param packetBytes a full packet
 * @param planes 1 to 8
 * @param paths over all planes; path i runs through plane i mod planes
 * @param initialBytes first window of the connection where the bandwidth-delay product is not known
 * @param pathLimitBytes largest useful window of a path
 * @param seed for choices that need no secrecy
 */
public record ConnectionShape(
        int packetBytes, int planes, int paths, long initialBytes, long pathLimitBytes, long seed) {

    int pathsOf(int plane) {
        return (paths - plane + planes - 1) / planes;
    }
}
