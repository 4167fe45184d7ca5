// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Fuzz target in the form Jazzer calls; its corpus is {@code src/test/resources/fuzz/config}, replayed in every build.
 * Whatever the text: a configuration whose dump is read back as the same, or lines for the operator.
 */
public final class ConfigFuzzTarget {
    private ConfigFuzzTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        try {
            LoadedConfig loaded = ConfigLoader.loadText("f", text, Map.of(), List.of());
            List<String> sets = loaded.settings().all().stream()
                    .map(setting -> setting.key() + "=" + setting.text())
                    .toList();
            if (!ConfigLoader.loadText("", "", Map.of(), sets).config().equals(loaded.config())) {
                throw new AssertionError("not the same when given by flags");
            }
        } catch (ConfigException e) {
            if (e.problems().isEmpty() || e.problems().stream().anyMatch(line -> line.indexOf('\n') >= 0)) {
                throw new AssertionError("not lines for the operator: " + e.problems(), e);
            }
        }
    }
}
