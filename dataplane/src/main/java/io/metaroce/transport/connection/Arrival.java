// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

/** How a packet arrived: what the port says beside its bytes. One reused object for each lane. */
public final class Arrival {
    int plane;
    long addressHigh;
    long addressLow;
    int ecn;
    int receiveLevel;

    /**
     * @param arrivalPlane plane of the port it came through
     * @param high source address, see {@code io.metaroce.port.IpAddress}
     * @param low source address
     * @param ecnBits the two ECN bits of the IP header; 3 is congestion experienced
     * @param level occupancy of our receive queue, 0 to 255
     */
    public void set(int arrivalPlane, long high, long low, int ecnBits, int level) {
        plane = arrivalPlane;
        addressHigh = high;
        addressLow = low;
        ecn = ecnBits;
        receiveLevel = level;
    }
}
