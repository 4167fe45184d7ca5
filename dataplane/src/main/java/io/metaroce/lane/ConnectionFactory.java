// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import io.metaroce.counters.ConnectionCounters;
import io.metaroce.memory.MemoryRegionTable;
import io.metaroce.transport.connection.Connection;
import io.metaroce.transport.connection.ConnectionListener;
import io.metaroce.transport.connection.ConnectionSettings;

/** Makes connections for a lane, in the thread of whoever asks for one. Tests give their own. */
@FunctionalInterface
public interface ConnectionFactory {

    Connection newConnection(
            ConnectionSettings settings,
            MemoryRegionTable regions,
            CongestionChoice congestion,
            ConnectionListener listener,
            ConnectionCounters counters);
}
