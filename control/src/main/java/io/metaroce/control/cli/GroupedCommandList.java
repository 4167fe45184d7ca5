// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.cli;

import java.util.Map;
import picocli.CommandLine;

/** The list of commands in {@code metaroce --help}, under the headings of {@link CommandGroup}. */
final class GroupedCommandList {
    private GroupedCommandList() {}

    static String render(CommandLine root) {
        int width = root.getSubcommands().keySet().stream()
                .mapToInt(String::length)
                .max()
                .orElse(0);
        StringBuilder text = new StringBuilder();
        for (CommandGroup group : CommandGroup.values()) {
            StringBuilder rows = new StringBuilder();
            for (Map.Entry<String, CommandLine> entry : root.getSubcommands().entrySet()) {
                if (entry.getValue().getCommand() instanceof Command command
                        && command.group() == group
                        && !entry.getValue().getCommandSpec().usageMessage().hidden()) {
                    String[] description =
                            entry.getValue().getCommandSpec().usageMessage().description();
                    rows.append("  ")
                            .append(entry.getKey())
                            .append(" ".repeat(width - entry.getKey().length() + 2))
                            .append(description.length == 0 ? "" : description[0])
                            .append('\n');
                }
            }
            if (!rows.isEmpty()) {
                text.append('\n').append(group.heading()).append(":\n").append(rows);
            }
        }
        return text.toString();
    }
}
