// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import io.metaroce.harness.compliance.Verdict.Kind;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Plays cases side by side, each over a connection of its own. */
final class Suite {
    private final List<Case> cases;
    private final Map<String, String> excluded;

    /** @param excluded reasons by id of a case, or by a group followed by a slash and a star */
    Suite(List<Case> cases, Map<String, String> excluded) {
        this.cases = cases;
        this.excluded = excluded;
    }

    /** Reads lines of {@code id reason}. */
    static Map<String, String> exclusions(List<String> lines) {
        Map<String, String> reasons = new LinkedHashMap<>();
        for (String line : lines) {
            String[] parts = line.strip().split("\\s+", 2);
            if (!line.isBlank() && !line.startsWith("#")) {
                if (parts.length < 2) {
                    throw new IllegalArgumentException("'" + line + "' gives no reason");
                }
                reasons.put(parts[0], parts[1]);
            }
        }
        return reasons;
    }

    /** Verdicts in the order of the cases; each is told as soon as it is there. */
    List<Verdict> play(InetSocketAddress target, int parallel, Consumer<Verdict> told) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(parallel);
        try {
            List<Future<Verdict>> running = new ArrayList<>();
            for (Case each : cases) {
                running.add(pool.submit(() -> {
                    String reason = excluded.getOrDefault(each.id(), excluded.getOrDefault(each.group() + "/*", ""));
                    return reason.isEmpty()
                            ? CaseRun.play(each, target, null)
                            : Verdict.unplayed(each, Kind.EXCLUDED, reason);
                }));
            }
            List<Verdict> verdicts = new ArrayList<>();
            for (int i = 0; i < running.size(); i++) {
                verdicts.add(result(running.get(i), cases.get(i)));
                told.accept(verdicts.get(i));
            }
            return verdicts;
        } finally {
            pool.shutdownNow();
        }
    }

    private static Verdict result(Future<Verdict> running, Case of) throws InterruptedException {
        try {
            return running.get();
        } catch (ExecutionException e) {
            return Verdict.unplayed(of, Kind.NOT_RUN, String.valueOf(e.getCause()));
        }
    }

    static long count(List<Verdict> verdicts, Kind kind) {
        return verdicts.stream().filter(verdict -> verdict.kind() == kind).count();
    }
}
