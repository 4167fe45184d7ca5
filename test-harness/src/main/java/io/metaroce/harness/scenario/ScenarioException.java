// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

/** A scenario that cannot be read or run; the message names what and why, on one line. */
public final class ScenarioException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ScenarioException(String message) {
        super(message);
    }
}
