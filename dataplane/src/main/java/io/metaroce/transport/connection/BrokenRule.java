// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

/** Rules that a demonstration can switch off, to show that its checks would see it. Never in service. */
public enum BrokenRule {
    NONE,
    /** Duplicates are placed again. */
    DEDUPE,
    /** Lost packets are never sent again. */
    REPAIR
}
