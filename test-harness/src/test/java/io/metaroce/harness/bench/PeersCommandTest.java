// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What the command says before it measures anything. */
class PeersCommandTest {
    @Test
    void aRowThatDoesNotExistIsNamedWithThoseThatDo() {
        StringWriter err = new StringWriter();

        int code =
                new CommandLine(new PeersCommand()).setErr(new PrintWriter(err)).execute("--only", "raw_gso8,aeron");

        assertThat(code).isEqualTo(2);
        assertThat(err.toString())
                .contains("no row 'aeron'")
                .contains("raw_channel, ")
                .contains("aeron_4096, ");
    }
}
