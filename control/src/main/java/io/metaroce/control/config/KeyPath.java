// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the option of a concrete key, and says what is wrong with a key that has none. */
final class KeyPath {
    private static final Pattern INDEX = Pattern.compile("\\[(\\d{1,4})]");
    private static final String PORT_OPTIONS_PREFIX = "ports[].options.";
    private static final Map<String, Option> BY_KEY = new HashMap<>();
    /** Section to its children, from the table: the empty key is the top of the file. */
    private static final Map<String, Set<String>> CHILDREN = new LinkedHashMap<>();

    /** Words people try that would mean something else than they expect. */
    private static final Map<String, String> TRAPS = Map.of(
            "tos",
                    "is not taken: it would hold the two ECN bits, which are the transport's; give dscp = tos / 4 (0 to 63)",
            "tclass", "is not taken: it would hold the two ECN bits, which are the transport's; give dscp = tclass / 4",
            "traffic_class",
                    "is not taken: it would hold the two ECN bits, which are the transport's; give dscp (0 to 63)",
            "mtu", "is not taken: the link decides it; give frame_max, the largest UDP payload in bytes");

    static {
        for (Option option : Option.values()) {
            BY_KEY.put(option.key(), option);
            String key = option.key();
            int dot = key.lastIndexOf('.');
            while (true) {
                String parent = dot < 0 ? "" : key.substring(0, dot);
                CHILDREN.computeIfAbsent(parent, p -> new LinkedHashSet<>()).add(key.substring(dot + 1));
                if (dot < 0) {
                    break;
                }
                key = parent;
                dot = key.lastIndexOf('.');
            }
        }
    }

    private KeyPath() {}

    /** The key with every index replaced by {@code []}. */
    static String generic(String key) {
        return INDEX.matcher(key).replaceAll("[]");
    }

    static @Nullable Option option(String key) {
        String generic = generic(key);
        if (generic.startsWith(PORT_OPTIONS_PREFIX)) {
            String word = generic.substring(PORT_OPTIONS_PREFIX.length());
            return word.matches("[A-Za-z0-9_-]{1,64}") ? Option.PORT_OPTIONS : null;
        }
        return generic.contains("*") ? null : BY_KEY.get(generic);
    }

    /** Whether the key names a section, such as {@code transport} or {@code ports[0]}. */
    static boolean isSection(String key) {
        String generic = generic(key);
        return generic.equals("ports") || CHILDREN.containsKey(generic);
    }

    /** Index of the port a key belongs to, or -1. */
    static int portIndex(String key) {
        Matcher matcher = INDEX.matcher(key);
        return key.startsWith("ports[") && matcher.find() ? Integer.parseInt(matcher.group(1)) : -1;
    }

    /** The leading part of the key up to its first unknown word; one misspelt section is one problem. */
    static String unknownPart(String key) {
        List<Integer> ends = new ArrayList<>();
        for (int dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', dot + 1)) {
            ends.add(dot);
        }
        ends.add(key.length());
        for (int end : ends) {
            String part = key.substring(0, end);
            if (!isSection(part) && option(part) == null) {
                return part;
            }
        }
        return key;
    }

    /** One phrase saying why there is no value to be set at the key, with the near match. */
    static String explain(String unknown) {
        Option above = optionAbove(unknown);
        if (above != null) {
            return above.key() + " takes one value: " + above.type().allowed();
        }
        int dot = unknown.lastIndexOf('.');
        String parent = dot < 0 ? "" : generic(unknown.substring(0, dot));
        String word = unknown.substring(dot + 1);
        String trap = TRAPS.get(word);
        if (trap != null) {
            return trap;
        }
        String suggestion = suggestion(parent, word);
        return "unknown key" + (suggestion.isEmpty() ? "; known here: " + knownAt(parent) : "; " + suggestion);
    }

    private static String suggestion(String parent, String word) {
        Collection<String> siblings = plain(CHILDREN.getOrDefault(parent, Set.of()));
        String near = Suggestion.phrase(word, siblings);
        if (!near.isEmpty()) {
            return near;
        }
        for (Option option : Option.values()) {
            if (option.key().endsWith("." + word)) {
                return "did you mean \"" + option.key() + "\"?";
            }
        }
        return "";
    }

    private static @Nullable Option optionAbove(String key) {
        String generic = generic(key).replaceAll("\\[]$", "");
        for (int end = generic.length(); end > 0; end = generic.lastIndexOf('.', end - 1)) {
            Option option = BY_KEY.get(generic.substring(0, end).replaceAll("(?<!ports)\\[]", ""));
            if (option != null) {
                return option;
            }
        }
        return null;
    }

    /** Names of the keys known inside a section. */
    static String knownAt(String section) {
        return String.join(", ", plain(CHILDREN.getOrDefault(generic(section), Set.of())));
    }

    private static List<String> plain(Collection<String> names) {
        return names.stream()
                .map(name -> name.replace("[]", ""))
                .filter(name -> !name.equals("*"))
                .toList();
    }
}
