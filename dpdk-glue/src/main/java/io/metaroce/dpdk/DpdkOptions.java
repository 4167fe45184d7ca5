// SPDX-License-Identifier: Apache-2.0
package io.metaroce.dpdk;

import io.metaroce.port.PortException;
import io.metaroce.port.PortSettings;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the {@code options} of a dpdk port say.
 *
 * @param device DPDK's description of the device: a name, or a virtual device with its arguments, such as
 *     {@code net_memif0,role=client,socket=/run/m.sock}
 * @param eal further arguments of EAL, the same for all ports of a process
 * @param mtu largest IP packet in bytes, 0 for what the device says
 * @param descriptors of each queue
 * @param neighbours {@code ADDRESS=MAC} pairs, separated by commas
 */
record DpdkOptions(String device, String eal, int mtu, int descriptors, String neighbours) {
    /** Without a NIC and without hugepages; who has them says so. */
    static final String EAL_DEFAULT = "--no-huge --no-pci -m 512";

    private static final Set<String> KNOWN = new TreeSet<>(Set.of("device", "eal", "mtu", "descriptors", "neighbours"));
    private static final int MTU_MIN = 576;
    private static final int MTU_MAX = 9_216;
    private static final int DESCRIPTORS_MIN = 64;
    private static final int DESCRIPTORS_MAX = 32_768;
    private static final int DESCRIPTORS_DEFAULT = 1_024;

    static DpdkOptions of(PortSettings settings) {
        Map<String, String> options = settings.options();
        for (String key : options.keySet()) {
            if (!KNOWN.contains(key)) {
                throw new PortException("port " + settings.name() + ": a dpdk port has no option '" + key + "'; it has "
                        + String.join(", ", KNOWN));
            }
        }
        String device = options.getOrDefault("device", "");
        if (device.isEmpty()) {
            throw new PortException("port " + settings.name()
                    + ": say which device DPDK drives, for example options: {device: \"net_memif0,role=server\"}");
        }
        return new DpdkOptions(
                device,
                options.getOrDefault("eal", EAL_DEFAULT),
                number(settings, "mtu", 0, MTU_MIN, MTU_MAX),
                number(settings, "descriptors", DESCRIPTORS_DEFAULT, DESCRIPTORS_MIN, DESCRIPTORS_MAX),
                options.getOrDefault("neighbours", ""));
    }

    /** The device's name alone, by which DPDK finds it again. */
    String deviceName() {
        int comma = device.indexOf(',');
        return comma < 0 ? device : device.substring(0, comma);
    }

    private static int number(PortSettings settings, String key, int otherwise, int least, int most) {
        String text = settings.options().get(key);
        if (text == null) {
            return otherwise;
        }
        try {
            int value = Integer.parseInt(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Told below, as what is out of range is.
        }
        throw new PortException(
                "port " + settings.name() + ": " + key + " must be " + least + " to " + most + ", was '" + text + "'");
    }
}
