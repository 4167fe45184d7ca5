// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.cli;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line that starts another {@code metaroce} from the same build, with the same Java and the same flags. */
public final class ChildProcess {
    /** Flags that must not be inherited: two JVMs cannot share a debugger port or a recording. */
    private static final List<String> NOT_INHERITED =
            List.of("-agentlib:", "-javaagent:", "-XX:StartFlightRecording", "-Dmetaroce.terminal.");

    private ChildProcess() {}

    /**
     * The full command for a {@link ProcessBuilder}: Java, its flags, the class path, the main class, then
     * {@code arguments}.
     *
     * @param arguments what would follow {@code ./metaroce}, for example {@code daemon --config FILE}
     */
    public static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(javaExecutable());
        for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (NOT_INHERITED.stream().noneMatch(flag::startsWith)) {
                command.add(flag);
            }
        }
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(Main.class.getName());
        command.addAll(List.of(arguments));
        return command;
    }

    private static String javaExecutable() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
