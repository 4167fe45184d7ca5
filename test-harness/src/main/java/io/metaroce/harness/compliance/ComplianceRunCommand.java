// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.metaroce.control.cli.CommandFailure;
import io.metaroce.control.cli.ExitCode;
import io.metaroce.control.daemon.NodeOptions;
import io.metaroce.harness.compliance.Verdict.Kind;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code metaroce compliance run}: plays cases and says what came of them. */
@CommandLine.Command(name = "run", description = "Play cases against a target; exit 0 if none failed")
final class ComplianceRunCommand implements Callable<Integer> {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "CASE", description = "Names or groups; all if none is given")
    private List<String> only = List.of();

    @Option(names = "--self", description = "Start a target on sockets and aim at it")
    private boolean self;

    @Option(names = "--target", paramLabel = "HOST:PORT", description = "Control channel of the target")
    private @Nullable String target;

    @Option(names = "--exclude", paramLabel = "FILE", description = "Lines of a case, or GROUP/*, and the reason")
    private @Nullable Path exclude;

    @Option(names = "--json", description = "One JSON object per case, then the sums")
    private boolean json;

    @Option(names = "--junit", paramLabel = "FILE", description = "Write JUnit XML as well")
    private @Nullable Path junit;

    @Option(names = "--html", paramLabel = "FILE", description = "Write a page as well")
    private @Nullable Path html;

    @Option(
            names = "--captures",
            paramLabel = "DIR",
            description = "Where captures of failed cases go (default: target/compliance)")
    private Path captures = Path.of("target", "compliance");

    @Option(
            names = "--parallel",
            paramLabel = "N",
            defaultValue = "8",
            description = "Cases at a time (default ${DEFAULT-VALUE})")
    private int parallel;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (self == (target != null) || parallel < 1) {
            throw new ParameterException(
                    spec.commandLine(), "run needs --self or --target HOST:PORT, and --parallel of 1 or more");
        }
        List<Case> cases = CaseReader.all().stream().filter(this::isWanted).toList();
        if (cases.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "no case is called " + only);
        }
        Map<String, String> excluded = exclude == null ? Map.of() : Suite.exclusions(Files.readAllLines(exclude));
        Suite suite = new Suite(cases, excluded);
        String aim = target;
        List<Verdict> verdicts;
        if (aim == null) {
            try (Responder responder = Responder.start("127.0.0.1", 0, NodeOptions.SERVING)) {
                verdicts = suite.play(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), responder.port()),
                        parallel,
                        this::tell);
            }
        } else {
            int colon = aim.lastIndexOf(':');
            if (colon < 1 || !aim.substring(colon + 1).matches("\\d{1,5}")) {
                throw new ParameterException(spec.commandLine(), "--target is '" + aim + "', must be HOST:PORT");
            }
            InetSocketAddress address = new InetSocketAddress(
                    InetAddress.getByName(aim.substring(0, colon)), Integer.parseInt(aim.substring(colon + 1)));
            verdicts = suite.play(address, parallel, this::tell);
        }
        report(verdicts, aim == null ? "this implementation" : aim);
        boolean isClean = Suite.count(verdicts, Kind.FAIL) + Suite.count(verdicts, Kind.NOT_RUN) == 0;
        return isClean ? ExitCode.OK : ExitCode.FAILED;
    }

    private boolean isWanted(Case each) {
        return only.isEmpty() || only.contains(each.id()) || only.contains(each.group()) || only.contains(each.name());
    }

    private void tell(Verdict verdict) {
        PrintWriter out = spec.commandLine().getOut();
        Recording recording = verdict.recording();
        String saved = "";
        if (verdict.kind() == Kind.FAIL && recording != null) {
            Path file =
                    captures.resolve(verdict.of().group() + "-" + verdict.of().name() + ".pcapng");
            try {
                Files.createDirectories(captures);
                recording.save(file, verdict.failure());
                saved = file.toString();
            } catch (IOException e) {
                throw new CommandFailure(file + " cannot be written; choose another with --captures DIR", e);
            }
        }
        if (json) {
            ObjectNode line = MAPPER.createObjectNode();
            line.put("case", verdict.of().id())
                    .put("verdict", verdict.kind().text())
                    .put("ms", verdict.tookMs());
            if (verdict.kind() != Kind.PASS) {
                line.put("why", verdict.explanation()).put("capture", saved);
            }
            out.println(line);
        } else {
            out.printf(
                    "%-8s %-40s %s%n",
                    verdict.kind().text(), verdict.of().id(), verdict.of().title());
            if (verdict.kind() != Kind.PASS) {
                out.println(verdict.explanation().indent(9).stripTrailing());
                out.println("         capture     " + (saved.isEmpty() ? "none" : saved));
            }
        }
        out.flush();
    }

    private void report(List<Verdict> verdicts, String name) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        ObjectNode sums = MAPPER.createObjectNode().put("pass", Suite.count(verdicts, Kind.PASS));
        sums.put("fail", Suite.count(verdicts, Kind.FAIL)).put("excluded", Suite.count(verdicts, Kind.EXCLUDED));
        out.println(sums.put("notRun", Suite.count(verdicts, Kind.NOT_RUN)));
        out.flush();
        if (junit != null) {
            Files.writeString(junit, Reports.junit(verdicts));
        }
        if (html != null) {
            Files.writeString(html, Reports.html(verdicts, name));
        }
    }
}
