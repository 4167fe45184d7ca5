// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

/** A kind of transport that can join any two hosts. */
public interface Transports {
    /** Joins two hosts; the first end is {@code a}'s. */
    Endpoint[] connect(Host a, EndpointListener ofA, Host b, EndpointListener ofB);

    /** DATA packets sent again so far, for whatever reason. */
    long retransmitted();

    /** Of those, how many the receiver had already. */
    long spurious();

    /** DATA packets sent for the first time. */
    long firstSent();

    /** Timeouts that expired. */
    long timeouts();

    /** What an endpoint may send now, where the round trip is this long. */
    double allowedBitsPerSecond(Endpoint endpoint, long roundTripPs);

    /** Payload bytes that have arrived at an endpoint. */
    long arrivedBytes(Endpoint endpoint);
}
