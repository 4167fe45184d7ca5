// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

/**
 * One leaf of a configuration file.
 *
 * @param key dotted path with indices, {@code ports[0].kind}
 * @param kind what stands there
 * @param text the scalar as written, without quotes; empty otherwise
 * @param line line in the file, from 1
 */
record YamlEntry(String key, Kind kind, String text, int line) {
    enum Kind {
        SCALAR,
        NOTHING,
        EMPTY_MAPPING,
        EMPTY_LIST
    }
}
