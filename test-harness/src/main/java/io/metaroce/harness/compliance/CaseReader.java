// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import io.metaroce.harness.compliance.Case.Condition;
import io.metaroce.harness.compliance.Case.Step;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads case files: strict, and every complaint names its line. The grammar is in {@code docs/compliance.md}. */
final class CaseReader {
    private static final Pattern CONDITION = Pattern.compile("([a-z][a-z0-9.-]*)(!=|>=|<=|=)(\\S+)");
    private static final Pattern RULE = Pattern.compile("MOP-[A-Z]+-\\d+");
    private static final Set<String> VERBS =
            Set.of("send", "raw", "expect", "never", "control", "auto", "save", "command", "alive", "lost", "readback");
    private static final Set<String> MODIFIERS =
            Set.of("within", "for", "payload", "fill", "has", "no", "acks", "lacks", "tos", "corrupt", "append", "cut");
    private static final Set<String> MORE_MODIFIERS = Set.of("credit", "repeat", "sack", "at", "length", "offset");
    private static final Map<String, String> ALIASES = Map.ofEntries(
            Map.entry("seq", "path-sequence"),
            Map.entry("csn", "connection-sequence"),
            Map.entry("msn", "message-sequence"),
            Map.entry("next", "next-expected-path-sequence"),
            Map.entry("next-csn", "next-expected-connection-sequence"),
            Map.entry("echo", "echoed-timestamp"),
            Map.entry("path", "path-id"),
            Map.entry("stream", "stream-id"),
            Map.entry("count", "transmit-count"),
            Map.entry("ts", "transmit-timestamp"),
            Map.entry("received", "received-packets"),
            Map.entry("ce", "ce-marked-packets"),
            Map.entry("dup", "path-sequence-duplicates"),
            Map.entry("errors", "errors-issued"),
            Map.entry("limit", "posted-receive-limit"),
            Map.entry("address", "remote-address"),
            Map.entry("receive", "receive-number"),
            Map.entry("msg-offset", "message-offset"),
            Map.entry("msg-length", "message-length"),
            Map.entry("conn", "destination-connection-id"));

    private final String group;
    private final List<Case> cases = new ArrayList<>();
    private final Set<String> names = new LinkedHashSet<>();
    private @Nullable String name;
    private String title = "";
    private List<String> rules = new ArrayList<>();
    private Map<String, String> options = new LinkedHashMap<>();
    private List<Step> steps = new ArrayList<>();

    private CaseReader(String group) {
        this.group = group;
    }

    /** Every case of the suite, in the order of its index. */
    static List<Case> all() {
        List<Case> all = new ArrayList<>();
        for (String group : resource("index.txt")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList()) {
            all.addAll(read(group, resource(group + ".case")));
        }
        return all;
    }

    static String resource(String file) {
        try (InputStream in = CaseReader.class.getResourceAsStream("cases/" + file)) {
            if (in == null) {
                throw new IllegalStateException("the suite has no file " + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("the suite's file " + file + " cannot be read", e);
        }
    }

    /**
     * The cases of one file.
     *
     * @throws IllegalArgumentException naming group, line and what is wrong
     */
    static List<Case> read(String group, String text) {
        CaseReader reader = new CaseReader(group);
        int line = 0;
        for (String raw : text.lines().toList()) {
            line++;
            String stripped = raw.strip();
            if (!stripped.isEmpty() && !stripped.startsWith("#")) {
                try {
                    reader.line(line, stripped);
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(group + ".case:" + line + ": " + e.getMessage(), e);
                }
            }
        }
        reader.finish();
        return reader.cases;
    }

    private void line(int number, String text) {
        String[] head = text.split("\\s+", 2);
        String rest = head.length > 1 ? head[1] : "";
        switch (head[0]) {
            case "case" -> begin(rest);
            case "title" -> title = rest;
            case "rules" -> rules(rest);
            case "with" -> conditions(rest).forEach(option -> options.put(option.name(), option.value()));
            default -> steps.add(step(number, head[0], text));
        }
    }

    private void begin(String next) {
        finish();
        if (!next.matches("[a-z0-9-]+") || !names.add(next)) {
            throw new IllegalArgumentException("a case needs a name of its own, not '" + next + "'");
        }
        name = next;
        title = "";
        rules = new ArrayList<>();
        options = new LinkedHashMap<>();
        steps = new ArrayList<>();
    }

    private void rules(String text) {
        Matcher rule = RULE.matcher(text);
        while (rule.find()) {
            rules.add(rule.group());
        }
    }

    private void finish() {
        if (name != null) {
            if (title.isEmpty() || rules.isEmpty() || steps.isEmpty()) {
                throw new IllegalArgumentException(group + "/" + name + " needs title, rules and steps");
            }
            cases.add(new Case(group, name, title, List.copyOf(rules), Map.copyOf(options), List.copyOf(steps)));
            name = null;
        }
    }

    private static Step step(int line, String verb, String text) {
        if (!VERBS.contains(verb)) {
            throw new IllegalArgumentException("unknown verb '" + verb + "'");
        }
        List<String> words = new ArrayList<>();
        List<Condition> conditions = new ArrayList<>();
        if (verb.equals("control")) {
            return new Step(line, text, List.of(text.split("\\s+", 3)), List.of());
        }
        for (String word : text.split("\\s+", -1)) {
            Matcher condition = CONDITION.matcher(word);
            if (condition.matches()) {
                boolean isAck = words.size() > 1 && words.get(1).equals("ACK");
                conditions.add(isAck ? ofAck(condition(condition)) : condition(condition));
            } else {
                words.add(word);
            }
        }
        Step step = new Step(line, text, List.copyOf(words), List.copyOf(conditions));
        if ((verb.equals("send") || verb.equals("expect") || verb.equals("never")) && words.size() != 2) {
            throw new IllegalArgumentException("'" + verb + "' takes one packet and conditions: " + words);
        }
        checkFields(step);
        return step;
    }

    /** A condition on a field that its packet does not have would always, or never, hold. */
    private static void checkFields(Step step) {
        boolean hasPacket = Set.of("send", "expect", "never").contains(step.verb());
        String packet = hasPacket ? step.words().get(1) : "";
        if (!hasPacket || packet.equals("ANY") || packet.equals("DATA")) {
            return;
        }
        if (Packet.layout(packet) == null) {
            throw new IllegalArgumentException("no packet is called " + packet);
        }
        Set<String> known = Expressions.fieldsOf(packet);
        for (Condition condition : step.conditions()) {
            String field = condition.name();
            if (!known.contains(field) && !MODIFIERS.contains(field) && !MORE_MODIFIERS.contains(field)) {
                throw new IllegalArgumentException(packet + " has no field '" + field + "'");
            }
        }
    }

    private static List<Condition> conditions(String text) {
        List<Condition> all = new ArrayList<>();
        for (String word : text.split("\\s+", -1)) {
            Matcher condition = CONDITION.matcher(word);
            if (!condition.matches()) {
                throw new IllegalArgumentException("'" + word + "' is not name=value");
            }
            all.add(condition(condition));
        }
        return all;
    }

    /** In an ACK the short names mean its own fields. */
    private static Condition ofAck(Condition condition) {
        return switch (condition.name()) {
            case "transmit-count" -> new Condition("echoed-count", condition.operator(), condition.value());
            case "stream-id" -> new Condition("credit-stream-id", condition.operator(), condition.value());
            default -> condition;
        };
    }

    private static Condition condition(Matcher condition) {
        String name = condition.group(1);
        return new Condition(ALIASES.getOrDefault(name, name), condition.group(2), condition.group(3));
    }
}
