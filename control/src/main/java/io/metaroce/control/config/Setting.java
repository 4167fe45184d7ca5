// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

/**
 * The effective value of one key.
 *
 * @param option the row of the table
 * @param key concrete key, {@code ports[0].kind}
 * @param value as {@link OptionType#read} gave it
 * @param origin where it comes from
 */
public record Setting(Option option, String key, Object value, Origin origin) {
    /** The value as the file would have it. */
    public String text() {
        return option.type().write(value);
    }
}
