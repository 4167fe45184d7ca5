// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

/** The application behind an endpoint: hears of its messages. */
public interface EndpointListener {
    /** A posted message is acknowledged whole. */
    void onSent(int tag, long nowNs);

    /** A message of the peer, posted to be told, has arrived whole, and all before it. */
    void onReceived(int tag, long nowNs);

    /** A message failed, or the connection did; nothing may hide this. */
    void onFailed(String why, long nowNs);
}
