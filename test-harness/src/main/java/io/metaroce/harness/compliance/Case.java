// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import java.util.List;
import java.util.Map;

/**
 * One case of the suite.
 *
 * @param group the file it stands in
 * @param rules what it checks, the deciding one first
 * @param options of its connection, as {@code credit=0}
 */
record Case(
        String group, String name, String title, List<String> rules, Map<String, String> options, List<Step> steps) {
    /**
     * One line of a script.
     *
     * @param line of the file, from 1
     * @param words what stands before the conditions
     * @param conditions in the order written
     */
    record Step(int line, String text, List<String> words, List<Condition> conditions) {
        String verb() {
            return words.get(0);
        }

        /** A condition's value, or what holds without one. */
        String value(String name, String otherwise) {
            for (Condition condition : conditions) {
                if (condition.name().equals(name)) {
                    return condition.value();
                }
            }
            return otherwise;
        }

        boolean has(String name) {
            return conditions.stream().anyMatch(condition -> condition.name().equals(name));
        }
    }

    /** A field, how it compares, with what. */
    record Condition(String name, String operator, String value) {}

    String id() {
        return group + "/" + name;
    }
}
