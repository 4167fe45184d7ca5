// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Builds the effective configuration. Precedence, weakest first: default, file, environment ({@code METAROCE_<KEY>}), flag
 * ({@code --set key=value}). All problems are gathered, one line each, before anything is refused.
 */
public final class ConfigLoader {
    private static final String PREFIX = "METAROCE_";
    private static final Pattern PORT_VARIABLE = Pattern.compile("METAROCE_PORTS_(\\d{1,4})_([A-Z0-9_]+)");

    /** Variables with our prefix that the launcher reads, not the daemon. */
    private static final Pattern LAUNCHER_VARIABLE = Pattern.compile("METAROCE_(DEBUG|JAVA_OPTS)");

    private final Map<String, Setting> settings = new LinkedHashMap<>();
    private final Set<String> reported = new HashSet<>();
    private final Set<String> problems = new LinkedHashSet<>();
    private final List<String> warnings = new ArrayList<>();
    private int portCount;

    private ConfigLoader() {}

    /**
     * Loads the effective configuration.
     *
     * @param file the file, or null for none
     * @param environment variables; those without our prefix are passed over
     * @param sets texts {@code key=value} in order
     * @throws ConfigException with every problem found
     */
    public static LoadedConfig load(@Nullable Path file, Map<String, String> environment, List<String> sets)
            throws ConfigException {
        return file == null
                ? loadText("", "", environment, sets)
                : loadText(file.toString(), readFile(file), environment, sets);
    }

    static LoadedConfig loadText(String fileName, String text, Map<String, String> environment, List<String> sets)
            throws ConfigException {
        ConfigLoader loader = new ConfigLoader();
        loader.applyFile(fileName, text);
        loader.portCount = Math.max(1, loader.portCount);
        loader.applyEnvironment(new TreeMap<>(environment));
        loader.applySets(sets);
        loader.applyDefaults();
        if (!loader.problems.isEmpty()) {
            throw new ConfigException(List.copyOf(loader.problems));
        }
        Settings values = new Settings(loader.settings, loader.portCount);
        DaemonConfig config = DaemonConfig.from(values);
        List<String> broken = ConfigRules.problems(config, values);
        if (!broken.isEmpty()) {
            throw new ConfigException(broken);
        }
        loader.warnings.addAll(ConfigRules.warnings(config));
        return new LoadedConfig(config, values, loader.warnings);
    }

    private static String readFile(Path file) throws ConfigException {
        try {
            if (Files.size(file) > YamlReader.TEXT_LENGTH_MAX) {
                throw new ConfigException(file + ": longer than " + Units.bytes(YamlReader.TEXT_LENGTH_MAX));
            }
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new ConfigException(file + ": no such file");
        } catch (CharacterCodingException e) {
            throw new ConfigException(file + ": not UTF-8 text");
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e.getMessage());
        }
    }

    private void applyFile(String fileName, String text) throws ConfigException {
        for (YamlEntry entry : YamlReader.read(fileName, text)) {
            String where = fileName + ":" + entry.line();
            Origin origin = new Origin(Origin.Kind.FILE, where);
            portCount = Math.max(portCount, KeyPath.portIndex(entry.key()) + 1);
            switch (entry.kind()) {
                case SCALAR -> apply(entry.key(), entry.text(), origin);
                case NOTHING -> applyNothing(entry, where);
                case EMPTY_MAPPING -> applySection(entry, where);
                case EMPTY_LIST -> problem(where, entry.key() + ": an empty list; " + whyNotEmpty(entry.key()));
            }
        }
        if (portCount > Option.PORTS_MAX) {
            problem(fileName, "ports: " + portCount + " ports; at most " + Option.PORTS_MAX);
            portCount = Option.PORTS_MAX;
        }
    }

    private static String whyNotEmpty(String key) {
        return key.equals("ports") ? "at least one port is needed" : "a value is needed";
    }

    private void applyNothing(YamlEntry entry, String where) {
        if (!KeyPath.isSection(entry.key())) {
            if (KeyPath.option(entry.key()) == null) {
                unknown(where, entry.key());
            } else {
                problem(where, entry.key() + ": no value; remove the line to keep the default");
            }
        }
    }

    private void applySection(YamlEntry entry, String where) {
        if (!KeyPath.isSection(entry.key())) {
            unknown(where, entry.key());
        }
    }

    private void applyEnvironment(Map<String, String> environment) {
        Map<String, String> keyOfVariable = new TreeMap<>();
        for (Option option : Option.values()) {
            if (!option.isOfPort()) {
                keyOfVariable.put(Option.variableOf(option.key()), option.key());
            }
        }
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            String name = variable.getKey();
            if (!name.startsWith(PREFIX) || LAUNCHER_VARIABLE.matcher(name).matches()) {
                continue;
            }
            String key = keyOfVariable.containsKey(name) ? keyOfVariable.get(name) : portKey(name);
            if (key == null) {
                String hint = Suggestion.phrase(name, keyOfVariable.keySet());
                warnings.add("environment variable " + YamlReader.printable(name) + " sets nothing"
                        + (hint.isEmpty() ? "" : "; " + hint));
            } else {
                applyLater(key, variable.getValue(), new Origin(Origin.Kind.ENVIRONMENT, name));
            }
        }
    }

    private static @Nullable String portKey(String variable) {
        var matcher = PORT_VARIABLE.matcher(variable);
        if (!matcher.matches()) {
            return null;
        }
        int index = Integer.parseInt(matcher.group(1));
        for (Option option : Option.values()) {
            if (option.isOfPort()
                    && option != Option.PORT_OPTIONS
                    && variable.equals(Option.variableOf(option.keyOfPort(index)))) {
                return option.keyOfPort(index);
            }
        }
        return null;
    }

    private void applySets(List<String> sets) {
        for (String set : sets) {
            int equals = set.indexOf('=');
            String where = "--set " + YamlReader.printable(set);
            if (equals < 1) {
                problem(where, "a flag is written --set key=value");
            } else {
                String key = set.substring(0, equals).replaceAll("^ports\\.(\\d{1,4})\\.", "ports[$1].");
                applyLater(key, set.substring(equals + 1), new Origin(Origin.Kind.FLAG, where));
            }
        }
    }

    /** Environment and flags may change a port of the file or add the one after the last. */
    private void applyLater(String key, String text, Origin origin) {
        int port = KeyPath.portIndex(key);
        if (port > portCount || port >= Option.PORTS_MAX) {
            problem(origin.where(), key + ": there are " + portCount + " ports; the next is ports[" + portCount + "]");
            return;
        }
        portCount = Math.max(portCount, port + 1);
        apply(key, text, origin);
    }

    private void apply(String key, String text, Origin origin) {
        Option option = KeyPath.option(key);
        if (option == null) {
            unknown(origin.where(), key);
            return;
        }
        try {
            settings.put(key, new Setting(option, key, option.type().read(text), origin));
        } catch (IllegalArgumentException e) {
            String hint = String.valueOf(e.getMessage());
            problem(
                    origin.where(),
                    key + ": \"" + YamlReader.printable(text) + "\" is not allowed; allowed: "
                            + option.type().allowed() + (hint.isEmpty() ? "" : " (" + hint + ")"));
        }
    }

    private void unknown(String where, String key) {
        if (KeyPath.isSection(key)) {
            problem(where, key + ": a section with the keys " + KeyPath.knownAt(key) + ", not a value");
            return;
        }
        String part = KeyPath.unknownPart(key);
        if (reported.add(part)) {
            problem(where, YamlReader.printable(part) + ": " + KeyPath.explain(part));
        }
    }

    private void problem(String where, String text) {
        problems.add(where + ": " + text);
    }

    private void applyDefaults() {
        for (Option option : Option.values()) {
            if (option == Option.PORT_OPTIONS) {
                continue;
            }
            if (!option.isOfPort()) {
                applyDefault(option, option.key(), option.defaultText());
                continue;
            }
            for (int i = 0; i < portCount; i++) {
                String text = option == Option.PORT_NAME ? "port" + i : option.defaultText();
                applyDefault(option, option.keyOfPort(i), text);
            }
        }
    }

    private void applyDefault(Option option, String key, String text) {
        settings.computeIfAbsent(key, k -> new Setting(option, k, option.type().read(text), Origin.DEFAULT));
    }
}
