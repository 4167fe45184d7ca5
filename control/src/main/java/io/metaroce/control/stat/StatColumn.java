// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.stat;

/** What {@code metaroce stat --top} can sort by: the largest first. */
enum StatColumn {
    RETRANSMITS,
    TIMEOUTS,
    DUPLICATES,
    TX,
    RX,
    MARKS,
    RTT
}
