// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The effective values of all keys, in the order of the table, ports one after another. */
public final class Settings {
    private final Map<String, Setting> byKey;
    private final int portCount;

    Settings(Map<String, Setting> unordered, int portCount) {
        this.portCount = portCount;
        this.byKey = new LinkedHashMap<>();
        List<Option> ofPort = new ArrayList<>();
        for (Option option : Option.values()) {
            if (option.isOfPort()) {
                ofPort.add(option);
                continue;
            }
            addPorts(unordered, ofPort);
            ofPort.clear();
            add(unordered, option.key());
        }
    }

    private void addPorts(Map<String, Setting> unordered, List<Option> ofPort) {
        for (int i = 0; i < portCount && !ofPort.isEmpty(); i++) {
            for (Option option : ofPort) {
                if (option == Option.PORT_OPTIONS) {
                    String prefix = "ports[" + i + "].options.";
                    new TreeMap<>(unordered)
                            .keySet().stream()
                                    .filter(key -> key.startsWith(prefix))
                                    .forEach(key -> add(unordered, key));
                } else {
                    add(unordered, option.keyOfPort(i));
                }
            }
        }
    }

    private void add(Map<String, Setting> from, String key) {
        byKey.put(key, require(from, key));
    }

    public int portCount() {
        return portCount;
    }

    public List<Setting> all() {
        return List.copyOf(byKey.values());
    }

    public Setting get(String key) {
        return require(byKey, key);
    }

    /** The further words of a port's provider. */
    Map<String, String> portOptions(int index) {
        String prefix = "ports[" + index + "].options.";
        Map<String, String> options = new TreeMap<>();
        byKey.forEach((key, setting) -> {
            if (key.startsWith(prefix)) {
                options.put(key.substring(prefix.length()), setting.text());
            }
        });
        return options;
    }

    String text(Option option) {
        return (String) get(option.key()).value();
    }

    long number(Option option) {
        return (Long) get(option.key()).value();
    }

    int integer(Option option) {
        return Math.toIntExact(number(option));
    }

    boolean flag(Option option) {
        return (Boolean) get(option.key()).value();
    }

    String text(Option option, int port) {
        return (String) get(option.keyOfPort(port)).value();
    }

    long number(Option option, int port) {
        return (Long) get(option.keyOfPort(port)).value();
    }

    private static Setting require(Map<String, Setting> map, String key) {
        Setting setting = map.get(key);
        if (setting == null) {
            throw new IllegalArgumentException("no setting " + key);
        }
        return setting;
    }
}
