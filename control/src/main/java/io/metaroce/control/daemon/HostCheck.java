// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * One thing that was looked at on this host.
 *
 * @param name short name, for scripts
 * @param verdict whether it is as it should be
 * @param found what was found, in a few words
 * @param advice what it means and what to do; empty if there is nothing to do
 */
record HostCheck(String name, Verdict verdict, String found, String advice) {
    /** How bad it is. */
    enum Verdict {
        OK,
        /** Works, but slower or with less than it could. */
        NOTE,
        /** Something does not work. */
        BAD;

        String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    static HostCheck of(String name, boolean isGood, Verdict otherwise, String found, String advice) {
        return new HostCheck(name, isGood ? Verdict.OK : otherwise, found, isGood ? "" : advice);
    }

    String text() {
        String line = String.format("%-5s %-13s %s%n", verdict.word(), name, found);
        return advice.isEmpty() ? line : line + String.format("%-19s %s%n", "", advice);
    }

    ObjectNode json() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("name", name)
                .put("verdict", verdict.word())
                .put("found", found)
                .put("advice", advice);
    }
}
