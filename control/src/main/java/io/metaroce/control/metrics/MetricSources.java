// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.metrics;

import io.metaroce.control.connect.ControlCounters;
import io.metaroce.counters.CounterBlock;
import io.metaroce.port.PacketPort;
import io.metaroce.wrap.FaultCounters;
import java.util.List;

/**
 * Where the numbers stand.
 *
 * @param lanes one block of lane counters each, in the order of lanes
 * @param totals sums over connections
 * @param ports one entry a port
 * @param control the control channel's numbers
 * @param reload how the last reload of the configuration went
 */
public record MetricSources(
        List<CounterBlock> lanes,
        CounterTotals totals,
        List<PortSource> ports,
        ControlCounters control,
        ReloadStatus reload) {
    public MetricSources {
        lanes = List.copyOf(lanes);
        ports = List.copyOf(ports);
    }

    /**
     * One port over all lanes.
     *
     * @param device its name
     * @param queues one of each lane
     * @param faults one of each lane, or none if no faults stand in front
     */
    public record PortSource(String device, List<PacketPort> queues, List<FaultCounters> faults) {
        public PortSource {
            queues = List.copyOf(queues);
            faults = List.copyOf(faults);
        }
    }
}
