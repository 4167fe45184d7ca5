// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

import java.util.List;

/**
 * A configuration that passed every check.
 *
 * @param config the values, typed
 * @param settings the values with their origins
 * @param warnings lines for the operator; none of them stops a start
 */
public record LoadedConfig(DaemonConfig config, Settings settings, List<String> warnings) {
    public LoadedConfig {
        warnings = List.copyOf(warnings);
    }
}
