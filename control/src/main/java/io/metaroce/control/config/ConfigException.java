// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

import java.util.List;

/** The configuration is refused; every problem is one line for the operator. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String[] problems;

    public ConfigException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
        this.problems = problems.toArray(String[]::new);
    }

    public ConfigException(String problem) {
        this(List.of(problem));
    }

    public List<String> problems() {
        return List.of(problems);
    }
}
