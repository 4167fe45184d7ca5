// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

/** Entries whose connection nobody asks for. */
final class Entries {
    private Entries() {}

    @SuppressWarnings("NullAway") // Tables and heaps only carry the connection.
    static ConnectionEntry entry(int id) {
        return new ConnectionEntry(id, null);
    }
}
