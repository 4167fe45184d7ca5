// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.spec;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.metaroce.control.cli.CommandFailure;
import io.metaroce.control.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code metaroce spec coverage}: of each rule, where it is obeyed, which test proves it, or why it is excepted. */
@CommandLine.Command(
        name = "coverage",
        description = "Of each rule: where it is obeyed, which test and case name it, or why it is excepted",
        footer = {
            "%nReads docs/spec and the sources of the checkout. Exit 0: every MUST is obeyed, tested or excepted; 1: not all.",
        })
final class SpecCoverageCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--root", paramLabel = "DIR", description = "The checkout (default: around the current directory)")
    private @Nullable Path root;

    @Option(names = "--area", paramLabel = "AREA", description = "Only rules of an area, such as RCV")
    private @Nullable String area;

    @Option(names = "--untested", description = "Only obligations that no test names")
    private boolean isUntestedOnly;

    @Option(names = "--json", description = "One JSON object per rule, then one with the sums")
    private boolean isJson;

    @Override
    public Integer call() throws IOException {
        Coverage coverage = Coverage.of(tree(root));
        PrintWriter out = spec.commandLine().getOut();
        ObjectMapper mapper = new ObjectMapper();
        for (Coverage.Row row : coverage.rows()) {
            if (isWanted(row)) {
                out.println(isJson ? mapper.writeValueAsString(json(mapper, row)) : text(row));
            }
        }
        out.println(isJson ? mapper.writeValueAsString(sums(mapper, coverage)) : sums(coverage));
        out.flush();
        return coverage.uncited() == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    /** The checkout to read: the one named, the launcher's own, or the one around the current directory. */
    static SourceTree tree(@Nullable Path root) {
        Path start = root != null ? root : Path.of(System.getProperty("metaroce.home", ""));
        SourceTree tree = SourceTree.around(start);
        if (tree == null) {
            throw new CommandFailure(
                    start.toAbsolutePath() + " is in no checkout with docs/spec; name one with --root DIR");
        }
        return tree;
    }

    private boolean isWanted(Coverage.Row row) {
        if (area != null && !row.rule().area().equals(area.toUpperCase(Locale.ROOT))) {
            return false;
        }
        return !isUntestedOnly || (row.rule().isObligation() && row.tested().isEmpty() && !row.isExcepted());
    }

    private static String text(Coverage.Row row) {
        String verdict = row.isUncited() ? "UNCITED" : row.isExcepted() ? "excepted: " + row.exception() : "";
        return String.format(
                        "%-12s %-6s  %-38s  %-38s  %-30s  %s",
                        row.rule().id(),
                        row.rule().strength(),
                        brief(row.obeyed()),
                        brief(row.tested()),
                        brief(row.demanded()),
                        verdict)
                .stripTrailing();
    }

    private static String brief(List<Citation> citations) {
        if (citations.isEmpty()) {
            return "-";
        }
        String first = citations.get(0).brief();
        return citations.size() == 1 ? first : first + " +" + (citations.size() - 1);
    }

    private static String sums(Coverage coverage) {
        return String.format(
                "%d rules, %d MUST: %d obeyed, %d tested, %d demanded by the compliance suite, %d excepted, %d uncited",
                coverage.rows().size(),
                coverage.must(),
                coverage.obeyed(),
                coverage.tested(),
                coverage.demanded(),
                coverage.excepted(),
                coverage.uncited());
    }

    private static ObjectNode sums(ObjectMapper mapper, Coverage coverage) {
        return mapper.createObjectNode()
                .put("must", coverage.must())
                .put("obeyed", coverage.obeyed())
                .put("tested", coverage.tested())
                .put("demanded", coverage.demanded())
                .put("excepted", coverage.excepted())
                .put("uncited", coverage.uncited());
    }

    private static ObjectNode json(ObjectMapper mapper, Coverage.Row row) {
        ObjectNode object = mapper.createObjectNode()
                .put("id", row.rule().id())
                .put("strength", row.rule().strength())
                .put("chapter", row.rule().chapter())
                .put("line", row.rule().line());
        array(object.putArray("obeyed"), row.obeyed());
        array(object.putArray("tested"), row.tested());
        array(object.putArray("compliance"), row.demanded());
        if (row.isExcepted()) {
            object.put("exception", row.exception());
        }
        return object;
    }

    private static void array(ArrayNode array, List<Citation> citations) {
        citations.forEach(citation -> array.add(citation.file() + ":" + citation.line()));
    }
}
