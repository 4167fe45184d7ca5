// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.control.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@DisplayName("The specification is one page that needs nothing beside it")
class SpecPageTest {
    private static final Path ROOT = Path.of("..");

    @TempDir
    private Path directory;

    @Test
    void everyRuleHasItsAnchorOnceAndEveryLinkLeadsToOne() throws IOException {
        String html = new SpecPage(new SourceTree(ROOT)).html();
        List<String> ids = all(html, "id=\"([^\"]+)\"");
        Set<String> anchors = new TreeSet<>(ids);

        assertThat(ids).doesNotHaveDuplicates();
        assertThat(anchors)
                .containsAll(new SourceTree(ROOT).rules().stream().map(Rule::id).collect(Collectors.toSet()));
        assertThat(all(html, "href=\"#([^\"]+)\"")).isNotEmpty().allMatch(anchors::contains);
    }

    @Test
    void itLoadsNothing() throws IOException {
        String html = new SpecPage(new SourceTree(ROOT)).html();

        assertThat(html).doesNotContain("<script", "<link", "<img", "src=", "@import", "@BODY@", "@CONTENTS@");
        assertThat(html).contains("<table>", "Vectors: packets.txt", "class=\"rule\"", "not</strong> Meta's");
    }

    @Test
    void whatAChapterSaysIsNeverMarkup() throws IOException {
        Files.createDirectories(directory.resolve("docs/spec"));
        Files.writeString(
                directory.resolve("docs/spec/01-a.md"), "# A\n\n<script>alert(1)</script> & a < b, MOP-A-x\n");
        Files.writeString(directory.resolve("docs/spec/exceptions.md"), "# Exceptions\n");

        String html = new SpecPage(new SourceTree(directory)).html();

        assertThat(html).contains("&lt;script&gt;", "a &lt; b, MOP-A-x").doesNotContain("<script>");
    }

    @Test
    void theCommandWritesTheFileAndSaysHowLargeItIs() throws IOException {
        StringWriter out = new StringWriter();
        Path file = directory.resolve("mop.html");
        int code = new CommandLine(new SpecBuildCommand())
                .setOut(new PrintWriter(out))
                .execute("--root", "..", "-o", file.toString());

        assertThat(code).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).endsWith(" KiB\n");
        assertThat(Files.readString(file)).endsWith("</html>\n");
    }

    private static List<String> all(String html, String pattern) {
        return Pattern.compile(pattern)
                .matcher(html)
                .results()
                .map(result -> result.group(1))
                .toList();
    }
}
