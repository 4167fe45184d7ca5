// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import io.metaroce.transport.congestion.CongestionControlFactory;
import io.metaroce.transport.connection.ConnectionSettings;

/**
 * How a simulated connection is set up.
 *
 * @param connection as negotiated
 * @param congestion of its paths
 * @param ringSlots of each of its rings, a power of two
 * @param isReceiving whether receives are kept posted
 */
public record MopSettings(
        ConnectionSettings connection, CongestionControlFactory congestion, int ringSlots, boolean isReceiving) {}
