// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.Locale;
import org.slf4j.LoggerFactory;

/** The least important message that is written; may change while the process runs. */
public final class LogLevel {
    private LogLevel() {}

    public static void set(String level) {
        if (LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME) instanceof Logger root) {
            root.setLevel(Level.toLevel(level.toUpperCase(Locale.ROOT), Level.INFO));
        }
    }
}
