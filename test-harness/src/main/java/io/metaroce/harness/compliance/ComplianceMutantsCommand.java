// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.metaroce.control.cli.ExitCode;
import io.metaroce.control.daemon.NodeOptions;
import io.metaroce.harness.compliance.Verdict.Kind;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code metaroce compliance mutants}: whether the suite sees what it is there to see. */
@CommandLine.Command(name = "mutants", description = "Broken targets, each of which one named case must catch")
final class ComplianceMutantsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Sums only, as JSON")
    private boolean json;

    @Override
    public Integer call() {
        Map<String, Case> cases = new LinkedHashMap<>();
        CaseReader.all().forEach(each -> cases.put(each.id(), each));
        PrintWriter out = spec.commandLine().getOut();
        int count = 0;
        int caught = 0;
        try (Responder responder = Responder.start("127.0.0.1", 0, NodeOptions.SERVING)) {
            InetSocketAddress target = new InetSocketAddress(InetAddress.getLoopbackAddress(), responder.port());
            for (Mutant mutant : Mutant.all()) {
                count++;
                boolean isCaught = catches(cases.get(mutant.caughtBy()), target, mutant);
                caught += isCaught ? 1 : 0;
                if (!json || !isCaught) {
                    out.println((isCaught ? "caught " : "MISSED ") + mutant.caughtBy() + " " + mutant.rule() + " "
                            + mutant);
                    out.flush();
                }
            }
        }
        out.println(new ObjectMapper().createObjectNode().put("mutants", count).put("caught", caught));
        out.flush();
        return count == caught ? ExitCode.OK : ExitCode.FAILED;
    }

    /** The case passes without the mutant and fails with it. */
    private static boolean catches(
            @org.jspecify.annotations.Nullable Case by, InetSocketAddress target, Mutant mutant) {
        return by != null
                && CaseRun.play(by, target, null).kind() == Kind.PASS
                && CaseRun.play(by, target, mutant).kind() == Kind.FAIL;
    }
}
