// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.metaroce.control.cli.Command;
import io.metaroce.control.cli.CommandGroup;
import io.metaroce.control.cli.ExitCode;
import io.metaroce.control.config.ConfigDocument;
import io.metaroce.control.config.ConfigException;
import io.metaroce.control.config.ConfigLoader;
import io.metaroce.control.config.LoadedConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code metaroce config}: check a file, show effective values, print the documented file or its schema. */
@CommandLine.Command(
        name = "config",
        description = "Check a configuration file, or show what is in effect",
        footerHeading = "%nExamples:%n",
        footer = {
            "  metaroce config check /etc/metaroce/metaroced.yaml",
            "  metaroce config dump metaroced.yaml --set transport.paths=16",
            "  metaroce config template > metaroced.yaml"
        })
public final class ConfigCommand implements Command {
    @Spec
    private CommandSpec spec;

    @Override
    public CommandGroup group() {
        return CommandGroup.INSPECT;
    }

    @Override
    public Integer call() {
        throw new CommandLine.ParameterException(spec.commandLine(), "one of check, dump, template, schema is needed");
    }

    @CommandLine.Command(
            name = "check",
            description = "Check a file with the environment; exit 1 and name every problem")
    int check(
            @Parameters(paramLabel = "FILE", description = "Configuration file") Path file,
            @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Override one key; repeatable") @Nullable
                    List<String> sets) {
        LoadedConfig loaded = load(file, sets);
        if (loaded == null) {
            return ExitCode.FAILED;
        }
        loaded.warnings().forEach(warning -> err().println("warning: " + warning));
        out().println(file + ": ok");
        return ExitCode.OK;
    }

    @CommandLine.Command(
            name = "dump",
            description = "Show every effective value and where it comes from: default, file, environment, flag")
    int dump(
            @Parameters(paramLabel = "FILE", arity = "0..1", description = "Configuration file; none: defaults")
                    @Nullable
                    Path file,
            @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Override one key; repeatable") @Nullable
                    List<String> sets,
            @Option(names = "--json", description = "Print JSON") boolean json) {
        LoadedConfig loaded = load(file, sets);
        if (loaded == null) {
            return ExitCode.FAILED;
        }
        loaded.warnings().forEach(warning -> err().println("warning: " + warning));
        if (json) {
            out().println(pretty(ConfigDocument.dumpJson(loaded.settings())));
        } else {
            out().print(ConfigDocument.dump(loaded.settings()));
        }
        return ExitCode.OK;
    }

    @CommandLine.Command(name = "template", description = "Print the documented file: every option at its default")
    int template() {
        out().print(ConfigDocument.template());
        return ExitCode.OK;
    }

    @CommandLine.Command(name = "schema", description = "Print the JSON schema of the file, for editors")
    int schema() {
        out().println(pretty(ConfigDocument.schema()));
        return ExitCode.OK;
    }

    private @Nullable LoadedConfig load(@Nullable Path file, @Nullable List<String> sets) {
        Map<String, String> environment = System.getenv();
        try {
            return ConfigLoader.load(file, environment, sets == null ? List.of() : sets);
        } catch (ConfigException e) {
            e.problems().forEach(problem -> err().println("metaroce: " + problem));
            return null;
        }
    }

    static String pretty(JsonNode node) {
        try {
            return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values can be written", e);
        }
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }
}
