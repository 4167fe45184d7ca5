// SPDX-License-Identifier: Apache-2.0
package io.metaroce.pcap;

/**
 * One interface of a capture.
 *
 * @param linkType number of the link-layer header type, as registered for capture files
 * @param snapLengthBytes bytes kept of each packet, unsigned; 0 means no limit
 * @param name its name, at most {@value #NAME_BYTES_MAX} bytes of UTF-8; empty when not stated
 * @param frameCheckBytes bytes of frame check sequence at the end of each packet, 0 when not stated
 * @param resolution the raw {@code if_tsresol} octet: bit 7 clear 10^-n, set 2^-n; 6 when not stated
 * @param offsetSeconds seconds to be added to each time
 */
public record CaptureInterface(
        int linkType, int snapLengthBytes, String name, int frameCheckBytes, int resolution, long offsetSeconds) {
    /** Longer names are cut, so that a hostile capture cannot make the reader grow. */
    public static final int NAME_BYTES_MAX = 256;
}
