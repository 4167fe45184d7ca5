// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.spec;

import io.metaroce.control.cli.CommandFailure;
import io.metaroce.control.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code metaroce spec build}: the specification as one HTML file. */
@CommandLine.Command(name = "build", description = "Write the specification as one self-contained HTML file")
final class SpecBuildCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--root", paramLabel = "DIR", description = "The checkout (default: around the current directory)")
    private @Nullable Path root;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            defaultValue = "mop-1.html",
            description = "Where to write it (default ${DEFAULT-VALUE}); - is standard output")
    private Path output = Path.of("mop-1.html");

    @Override
    public Integer call() throws IOException {
        String html = new SpecPage(SpecCoverageCommand.tree(root)).html();
        if (output.toString().equals("-")) {
            spec.commandLine().getOut().print(html);
            spec.commandLine().getOut().flush();
            return ExitCode.OK;
        }
        try {
            Files.writeString(output, html);
        } catch (IOException e) {
            throw new CommandFailure(output + " cannot be written; choose another with -o FILE", e);
        }
        spec.commandLine().getOut().printf("%s: %d KiB%n", output, html.length() / 1024);
        spec.commandLine().getOut().flush();
        return ExitCode.OK;
    }
}
