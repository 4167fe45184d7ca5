// SPDX-License-Identifier: Apache-2.0
package io.metaroce.port;

/** What every port counts; the names are those of the metrics. */
public enum PortCounter {
    RX_PACKETS("rx_packets", "Packets received from the device."),
    RX_BYTES("rx_bytes", "Bytes received from the device."),
    RX_MISSED("rx_missed_packets", "Packets the device or kernel dropped because nobody read them in time."),
    RX_NO_BUFFER("rx_no_buffer_packets", "Receives that found no free buffer."),
    RX_ERRORS("rx_errors", "Receive calls the device failed."),
    RX_TRUNCATED("rx_truncated_packets", "Packets longer than a buffer, dropped."),
    RX_FRAGMENTED("rx_fragmented_packets", "Packets that arrived in fragments, dropped: a sender's MTU is too small."),
    RX_FOREIGN("rx_foreign_packets", "Frames for somebody else, dropped: another address, protocol or UDP port."),
    RX_SUPER_PACKETS("rx_super_packets", "Messages in which the kernel handed over several packets at once."),
    TX_PACKETS("tx_packets", "Packets handed to the device."),
    TX_BYTES("tx_bytes", "Bytes handed to the device."),
    TX_SUPER_PACKETS("tx_super_packets", "Messages in which the kernel took several packets at once."),
    TX_BUSY("tx_busy_packets", "Packets offered while the device had no room; every offer counts."),
    TX_ERRORS("tx_errors", "Packets the device refused for good.");

    private final String metricName;
    private final String help;

    PortCounter(String metricName, String help) {
        this.metricName = metricName;
        this.help = help;
    }

    /** Name inside the {@code metaroce_port_} family, without the {@code _total} suffix. */
    public String metricName() {
        return metricName;
    }

    /** One sentence: what a value other than zero means. */
    public String help() {
        return help;
    }
}
