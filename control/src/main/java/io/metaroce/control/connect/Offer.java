// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import java.util.List;

/**
 * What one side brings to a connection.
 *
 * @param connectionId the id that packets to this side carry, 1 to 2^32 - 1
 * @param planes 1 to 8, in plane order
 * @param limits bounds of this side
 * @param incastDegree hosts expected to send to one at the same time, 0 unknown
 * @param operations names of the operations understood
 * @param check how packets are protected; {@code crc32c}
 */
public record Offer(
        long connectionId,
        List<PlaneOffer> planes,
        Limits limits,
        int incastDegree,
        List<String> operations,
        String check) {
    public static final String CRC32C = "crc32c";

    public Offer {
        planes = List.copyOf(planes);
        operations = List.copyOf(operations);
    }
}
