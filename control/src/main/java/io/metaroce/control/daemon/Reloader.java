// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import io.metaroce.control.config.ConfigException;
import io.metaroce.control.config.ConfigLoader;
import io.metaroce.control.config.LoadedConfig;
import io.metaroce.control.config.Option.Change;
import io.metaroce.control.config.Setting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Loads the configuration again and says what became of it. B99: a refused one changes nothing, and says so. */
final class Reloader {
    /**
     * What a reload came to.
     *
     * @param config the configuration to take the live values from; null if it was refused
     * @param lines for the operator
     */
    record Outcome(@Nullable LoadedConfig config, List<String> lines) {
        Outcome {
            lines = List.copyOf(lines);
        }

        /** One line for systemd and the log. */
        String summary() {
            return config == null ? "reload refused, the old configuration stays: " + lines.get(0) : "reloaded";
        }
    }

    private final @Nullable Path file;
    private final Map<String, String> environment;
    private final List<String> sets;

    Reloader(@Nullable Path file, Map<String, String> environment, List<String> sets) {
        this.file = file;
        this.environment = environment;
        this.sets = sets;
    }

    LoadedConfig load() throws ConfigException {
        return ConfigLoader.load(file, environment, sets);
    }

    /**
     * @param started what the process started with: what it still is wherever a restart is needed
     * @param running the last configuration taken: where the live values come from
     */
    Outcome reload(LoadedConfig started, LoadedConfig running) {
        try {
            LoadedConfig next = load();
            List<String> lines = new ArrayList<>(next.warnings());
            lines.addAll(differences(started, running, next));
            return new Outcome(next, lines);
        } catch (ConfigException e) {
            return new Outcome(null, e.problems());
        }
    }

    private static List<String> differences(LoadedConfig started, LoadedConfig running, LoadedConfig next) {
        Map<String, Setting> before = byKey(started);
        byKey(running).forEach((key, setting) -> {
            if (setting.option().change() == Change.LIVE) {
                before.put(key, setting);
            }
        });
        Map<String, Setting> after = byKey(next);
        TreeSet<String> keys = new TreeSet<>(before.keySet());
        keys.addAll(after.keySet());
        List<String> lines = new ArrayList<>();
        for (String key : keys) {
            Setting old = before.get(key);
            Setting now = after.get(key);
            if (old == null || now == null || !old.value().equals(now.value())) {
                lines.add(line(key, old, now));
            }
        }
        return lines;
    }

    private static String line(String key, @Nullable Setting old, @Nullable Setting now) {
        String from = old == null ? "nothing" : "\"" + old.text() + "\"";
        String to = now == null ? "nothing" : "\"" + now.text() + "\"";
        boolean isLive = old != null && old.option().change() == Change.LIVE;
        return key + ": " + from + " to " + to + (isLive ? ", in force now" : ", needs a restart; the old value stays");
    }

    private static Map<String, Setting> byKey(LoadedConfig config) {
        Map<String, Setting> settings = new LinkedHashMap<>();
        config.settings().all().forEach(setting -> settings.put(setting.key(), setting));
        return settings;
    }
}
