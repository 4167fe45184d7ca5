// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.cli;

import java.util.List;
import picocli.CommandLine.Option;

/** {@code metaroce test}: its help and its spelling; the launcher runs the steps, because they build and start us. */
@picocli.CommandLine.Command(
        name = "test",
        description = "Run the tests; --full runs everything",
        footerHeading = "%nExamples:%n",
        footer = {
            "  metaroce test                  what every change must pass, at most 12 minutes on 2 cores",
            "  metaroce test --full           long simulations and a clean build as well",
            "  metaroce test --only unit      one step; --list names them",
            "%nThe last line counts: N passed, N failed, N skipped. Each skip is named with its reason above it."
        })
public final class TestCommand implements Command {
    @Option(names = "--quick", description = "The steps that every change must pass (the default)")
    void quick(boolean ignored) {}

    @Option(names = "--full", description = "Every step")
    void full(boolean ignored) {}

    @Option(names = "--only", paramLabel = "STEP", description = "Run only this step; may be repeated")
    void only(List<String> ignored) {}

    @Option(names = "--list", description = "List the steps with their budgets")
    void list(boolean ignored) {}

    @Override
    public CommandGroup group() {
        return CommandGroup.DEVELOP;
    }

    @Override
    public Integer call() {
        throw new CommandFailure("the launcher of a source checkout runs the tests; call ./metaroce test there");
    }
}
