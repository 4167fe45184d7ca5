// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

/**
 * Where a value comes from. Later kinds win over earlier ones.
 *
 * @param kind the layer
 * @param where {@code file:line}, variable or flag; empty for a default
 */
public record Origin(Kind kind, String where) {
    /** The layers, weakest first. */
    public enum Kind {
        DEFAULT,
        FILE,
        ENVIRONMENT,
        FLAG
    }

    static final Origin DEFAULT = new Origin(Kind.DEFAULT, "");

    @Override
    public String toString() {
        return where.isEmpty() ? "default" : where;
    }
}
