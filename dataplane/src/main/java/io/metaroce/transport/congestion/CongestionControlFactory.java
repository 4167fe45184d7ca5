// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

/** Makes the controllers of a connection's paths. */
@FunctionalInterface
public interface CongestionControlFactory {

    /**
     * @param packetBytes a full packet on this path
     * @param initialBytes first window
     * @param limitBytes largest useful window
     */
    CongestionControl newPathControl(int packetBytes, long initialBytes, long limitBytes);
}
