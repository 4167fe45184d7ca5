// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.demo;

import io.metaroce.control.cli.Command;
import io.metaroce.control.cli.CommandFailure;
import io.metaroce.control.cli.CommandGroup;
import io.metaroce.control.cli.ExitCode;
import io.metaroce.control.cli.Terminal;
import io.metaroce.lane.ConnectionSpec.Sabotage;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** {@code metaroce demo}: a gigabyte between two daemons, losses and a dead path on the way, every byte checked. */
@CommandLine.Command(
        name = "demo",
        description = "Move a gigabyte between two daemons, lose packets and a path, check every byte")
public final class DemoCommand implements Command {
    private static final long MIB = 1 << 20;
    private static final long MEBIBYTES_MIN = 16;
    private static final long MEBIBYTES_MAX = 64 << 10;
    private static final Pattern SIZE = Pattern.compile("(\\d{1,6})([MG])(?:I?B)?", Pattern.CASE_INSENSITIVE);

    @CommandLine.Option(
            names = "--json",
            description = "Print the verdict as one line of JSON, the last of the output.")
    private boolean isJson;

    @CommandLine.Option(
            names = "--break",
            paramLabel = "RULE",
            description =
                    "Leave out a rule of the protocol, dedupe or repair, to see that the demo notices: it must fail.")
    private String broken = "none";

    @CommandLine.Option(
            names = "--size",
            paramLabel = "SIZE",
            description = "Bytes to move, 16M to 64G, in whole mebibytes (default: ${DEFAULT-VALUE}).")
    private String size = "1G";

    @CommandLine.Option(
            names = "--loss",
            paramLabel = "PERCENT",
            description = "Packets lost, such as 1%% (default: ${DEFAULT-VALUE}%%).")
    private String loss = "1";

    @CommandLine.Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of payload and losses (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @CommandLine.Option(
            names = "--deadline",
            paramLabel = "SECONDS",
            description = "Give up after so long (default: ${DEFAULT-VALUE}).")
    private int deadlineSeconds = 85;

    @CommandLine.Option(names = "--receiver-exec", hidden = true, description = "Words before the receiver's command.")
    private String receiverExec = "";

    @CommandLine.Option(names = "--sender-exec", hidden = true, description = "Words before the sender's command.")
    private String senderExec = "";

    @CommandLine.Option(names = "--receiver-addresses", hidden = true, split = ",", description = "One a plane.")
    private List<String> receiverAddresses = DemoRun.Place.LOOPBACK.addresses();

    @CommandLine.Option(names = "--sender-addresses", hidden = true, split = ",", description = "One a plane.")
    private List<String> senderAddresses = DemoRun.Place.LOOPBACK.addresses();

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public CommandGroup group() {
        return CommandGroup.RUN;
    }

    @Override
    public Integer call() throws Exception {
        long mebibytes = mebibytes(size);
        Sabotage sabotage = sabotage();
        PrintWriter people =
                isJson ? spec.commandLine().getErr() : spec.commandLine().getOut();
        boolean isLive = isJson ? Terminal.standardErrorIsTerminal() : Terminal.standardOutputIsTerminal();
        DemoRun run = new DemoRun(
                new DemoRun.Settings(
                        mebibytes,
                        MIB,
                        faults(sabotage),
                        isLossy(loss),
                        seed,
                        sabotage,
                        deadlineSeconds,
                        place(receiverExec, receiverAddresses),
                        place(senderExec, senderAddresses)),
                new DemoScreen(people, isLive, mebibytes));
        DemoVerdict verdict = run.run();
        verdict.print(people);
        if (isJson) {
            spec.commandLine().getOut().println(verdict.json());
            spec.commandLine().getOut().flush();
        }
        return verdict.isOk() ? ExitCode.OK : ExitCode.FAILED;
    }

    private Sabotage sabotage() {
        return switch (broken.toLowerCase(Locale.ROOT)) {
            case "none" -> Sabotage.NONE;
            case "dedupe" -> Sabotage.DEDUPE;
            case "repair" -> Sabotage.REPAIR;
            default -> throw new CommandFailure("--break knows dedupe and repair, not " + broken);
        };
    }

    /** Whole mebibytes of a size such as 64M or 1G. */
    static long mebibytes(String text) {
        Matcher matcher = SIZE.matcher(text);
        if (matcher.matches()) {
            boolean isGibi = matcher.group(2).equalsIgnoreCase("G");
            long mebibytes = Long.parseLong(matcher.group(1)) << (isGibi ? 10 : 0);
            if (mebibytes >= MEBIBYTES_MIN && mebibytes <= MEBIBYTES_MAX) {
                return mebibytes;
            }
        }
        throw new CommandFailure("--size must be 16M to 64G, such as 64M or 1G, was " + text);
    }

    /** Whether a percentage asks for any loss: it has a digit that is not 0. */
    static boolean isLossy(String percent) {
        return percent.chars().anyMatch(c -> c >= '1' && c <= '9');
    }

    private static DemoRun.Place place(String exec, List<String> addresses) {
        return new DemoRun.Place(
                exec.isBlank() ? List.of() : List.of(exec.strip().split(" +")), addresses);
    }

    /** Without the dedupe rule the wire must also make duplicates, or there would be nothing to notice. */
    private String faults(Sabotage sabotage) {
        String percent = loss.endsWith("%") ? loss : loss + "%";
        String plan = "loss=" + percent + ",seed=" + seed;
        return sabotage == Sabotage.DEDUPE ? plan + ",dup=2%,reorder=2%" : plan;
    }
}
