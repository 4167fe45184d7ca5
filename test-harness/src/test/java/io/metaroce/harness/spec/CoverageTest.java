// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.spec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.metaroce.control.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@DisplayName("The ledger knows who obeys which rule")
class CoverageTest {
    private static final Path ROOT = Path.of("..");
    /** Obligations named by a test when this was written; more is welcome, fewer is a loss that needs a reason. */
    private static final int TESTED_LEAST = 160;

    @TempDir
    private Path directory;

    @Test
    void everyObligationIsObeyedByTheCodeOrExceptedWithAReason() throws IOException {
        Coverage coverage = Coverage.of(new SourceTree(ROOT));

        assertThat(coverage.must()).isGreaterThan(80);
        assertThat(coverage.rows())
                .filteredOn(row -> row.rule().isObligation() && row.obeyed().isEmpty() && !row.isExcepted())
                .extracting(row -> row.rule().id())
                .as("obligations that nobody obeys; cite them where they are obeyed, or except them with a reason")
                .isEmpty();
        assertThat(coverage.uncited()).isZero();
    }

    @Test
    void testsNameAtLeastAsManyObligationsAsBefore() throws IOException {
        assertThat(Coverage.of(new SourceTree(ROOT)).tested()).isGreaterThanOrEqualTo(TESTED_LEAST);
    }

    @Test
    void anObligationThatNobodyCitesIsCountedAndTheCommandFails() throws IOException {
        write("docs/spec/01-a.md", "**MOP-A-1** (MUST) One.\n**MOP-A-2** (MUST) Two.\n**MOP-A-3** (MAY) Three.\n");
        write("docs/spec/exceptions.md", "| MOP-A-1 | nothing | it is safe |\n| MOP-A-2 | | |\n");

        StringWriter out = new StringWriter();
        int code = run(out, "--json", "--root", directory.toString());

        assertThat(code).isEqualTo(ExitCode.FAILED);
        JsonNode sums = new ObjectMapper().readTree(last(out));
        assertThat(sums.get("must").intValue()).isEqualTo(2);
        assertThat(sums.get("excepted").intValue()).isEqualTo(1);
        assertThat(sums.get("uncited").intValue()).isEqualTo(1);
    }

    @Test
    void aCitationIsSortedByWhereItStands() throws IOException {
        write("docs/spec/01-a.md", "**MOP-A-1** (MUST) One.\n**MOP-A-12** (MUST) Twelve.\n");
        write("docs/spec/exceptions.md", "");
        write("dataplane/src/main/java/A.java", "class A {\n    // MOP-A-1, 12: both\n}\n");
        write("dataplane/src/test/java/ATest.java", "// MOP-A-1\n");
        write("test-harness/src/main/java/io/metaroce/harness/compliance/C.java", "// MOP-A-12\n");
        write("test-harness/src/main/java/io/metaroce/harness/replay/R.java", "// MOP-A-12\n");
        write("control/target/X.java", "// MOP-A-1\n");

        Coverage coverage = Coverage.of(new SourceTree(directory));

        assertThat(coverage.rows().get(0).obeyed()).containsExactly(new Citation("dataplane/src/main/java/A.java", 2));
        assertThat(coverage.rows().get(0).tested()).hasSize(1);
        assertThat(coverage.rows().get(1).obeyed()).hasSize(1);
        assertThat(coverage.rows().get(1).tested()).isEmpty();
        assertThat(coverage.rows().get(1).demanded()).hasSize(1);
    }

    @Test
    void theTableHasOneLineForEachRuleOfAnAreaAndTheSums() throws IOException {
        StringWriter out = new StringWriter();
        int code = run(out, "--area", "rcv", "--root", "..");

        List<String> lines = out.toString().lines().toList();
        assertThat(code).isEqualTo(ExitCode.OK);
        assertThat(lines.get(0)).matches("MOP-RCV-1 +MUST +\\S+\\.java:\\d+.*");
        assertThat(lines.get(lines.size() - 1)).endsWith(" 0 uncited");
    }

    private void write(String file, String text) throws IOException {
        Path path = directory.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private static int run(StringWriter out, String... arguments) {
        return new CommandLine(new SpecCoverageCommand())
                .setOut(new PrintWriter(out))
                .execute(arguments);
    }

    private static String last(StringWriter out) {
        List<String> lines = out.toString().lines().toList();
        return lines.get(lines.size() - 1);
    }
}
