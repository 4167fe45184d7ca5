// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.metaroce.control.cli.CommandFailure;
import io.metaroce.lane.ConnectionSpec.Sabotage;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One demonstration from start to verdict. */
final class DemoRun {
    private static final long START_MS = 20_000;
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(6);
    private static final long DEAD_AT_LEAST_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long REVIVAL_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int ACTIVE = 1;
    private static final int CONGESTED = 2;
    private static final int DEAD = 4;
    private static final int PROBING = 5;

    /**
     * What to do.
     *
     * @param messages to move
     * @param messageBytes size of each
     * @param faults of both daemons' ports
     * @param isLossy whether they lose packets by chance
     */
    record Settings(
            long messages,
            long messageBytes,
            String faults,
            boolean isLossy,
            long seed,
            Sabotage sabotage,
            int deadlineSeconds,
            Place receiver,
            Place sender) {}

    /**
     * Where a daemon runs.
     *
     * @param prefix words in front of its command, such as those that enter a network namespace
     * @param addresses one a plane; the receiver's first also takes the control channel
     */
    record Place(List<String> prefix, List<String> addresses) {
        static final Place LOOPBACK = new Place(List.of(), List.of(DemoPlan.HOST));
    }

    private final Settings settings;
    private final DemoScreen screen;
    private final DemoVerdict verdict = new DemoVerdict();
    private boolean isVictimDead;
    private boolean isKilled;
    private boolean isRevived;
    private long killedAtNs;
    private long revivedAtNs;
    private long allCheckedAtNs;

    DemoRun(Settings settings, DemoScreen screen) {
        this.settings = settings;
        this.screen = screen;
        verdict.bytesWanted = settings.messages * settings.messageBytes;
        verdict.isChanceWanted = settings.isLossy;
    }

    /** A daemon that does not start or does not answer is a verdict too, so that a script always gets one. */
    DemoVerdict run() throws InterruptedException {
        try {
            runBoth();
        } catch (CommandFailure e) {
            verdict.trouble += (verdict.trouble.isEmpty() ? "" : "; ") + e.getMessage();
        }
        return verdict;
    }

    private void runBoth() throws InterruptedException {
        long startNs = System.nanoTime();
        screen.say("starting two daemons, " + DemoPlan.PATHS + " paths between them, faults: " + settings.faults);
        try (DemoProcess receiver = newProcess("receiver", settings.receiver, 0)) {
            JsonNode serving = receiver.await("ready", START_MS);
            try (DemoProcess sender = newProcess(
                    "sender", settings.sender, serving.path("controlPort").asInt())) {
                JsonNode sending = sender.await("ready", START_MS);
                screen.say("connected; probes proved a payload of "
                        + sending.path("payloadBytes").asInt() + " bytes a packet");
                String blackHole = sending.path("blackHole").asText();
                if (!blackHole.isEmpty()) {
                    screen.say(blackHole);
                }
                screen.begin();
                long transferNs = System.nanoTime();
                transfer(sender, receiver, startNs);
                conclude(sender, receiver);
                long endNs = allCheckedAtNs == 0 ? System.nanoTime() : allCheckedAtNs;
                verdict.seconds = (endNs - transferNs) * 1e-9;
            }
        }
    }

    private DemoProcess newProcess(String role, Place place, int peerPort) {
        return new DemoProcess(
                role,
                place.prefix(),
                "demo-node",
                "--addresses=" + String.join(",", place.addresses()),
                "--peer-host=" + settings.receiver.addresses().get(0),
                "--peer=" + peerPort,
                "--messages=" + settings.messages,
                "--message-bytes=" + settings.messageBytes,
                "--faults=" + settings.faults,
                "--seed=" + settings.seed,
                "--sabotage=" + settings.sabotage);
    }

    private void transfer(DemoProcess sender, DemoProcess receiver, long startNs) throws InterruptedException {
        long deadlineNs = startNs + TimeUnit.SECONDS.toNanos(settings.deadlineSeconds);
        long movedNs = System.nanoTime();
        long checked = 0;
        while (checked < settings.messages || isWaitingForVictim()) {
            long nowNs = System.nanoTime();
            if (nowNs - deadlineNs > 0) {
                verdict.trouble = "not finished after " + settings.deadlineSeconds + " s";
                return;
            }
            if (checked < settings.messages && nowNs - movedNs > SILENCE_NS) {
                verdict.trouble = "no progress for " + TimeUnit.NANOSECONDS.toSeconds(SILENCE_NS) + " s";
                return;
            }
            JsonNode event = sender.poll(100);
            if (event == null) {
                if (!sender.isAlive() || !receiver.isAlive()) {
                    verdict.trouble = "a daemon died" + sender.lastWords() + receiver.lastWords();
                    return;
                }
                continue;
            }
            if (event.has("failure")) {
                verdict.trouble = "the sender's requests ended with "
                        + event.path("failure").asText();
                return;
            }
            if (event.path("checked").asLong() > checked) {
                checked = event.path("checked").asLong();
                movedNs = nowNs;
                // What comes after is waiting for the path, which is no part of the transfer.
                allCheckedAtNs = checked >= settings.messages ? nowNs : 0;
            }
            screen.progress(event);
            watchVictim(event, checked, sender, receiver);
        }
    }

    /** Kills the path at half way, revives it once it has been dead for a while, and sees it come back. */
    private void watchVictim(JsonNode event, long checked, DemoProcess sender, DemoProcess receiver) {
        long nowNs = System.nanoTime();
        int state = event.path("states").path(DemoPlan.VICTIM).asInt();
        if (!isKilled && checked >= DemoPlan.untilKilled(settings.messages)) {
            isKilled = true;
            killedAtNs = nowNs;
            sender.order("kill " + DemoPlan.VICTIM);
            receiver.order("kill " + DemoPlan.VICTIM);
            screen.say("path " + DemoPlan.VICTIM + " killed: everything on it vanishes, both ways");
        } else if (isKilled && !isVictimDead && (state == DEAD || state == PROBING)) {
            isVictimDead = true;
            verdict.pathsKilled = 1;
            screen.say("path " + DemoPlan.VICTIM
                    + " is dead to the sender; what was in flight on it moved to its siblings");
        }
        boolean mayRevive = isVictimDead || nowNs - killedAtNs > REVIVAL_NS;
        if (isKilled && mayRevive && revivedAtNs == 0 && nowNs - killedAtNs > DEAD_AT_LEAST_NS) {
            revivedAtNs = nowNs;
            sender.order("revive " + DemoPlan.VICTIM);
            receiver.order("revive " + DemoPlan.VICTIM);
            screen.say("path " + DemoPlan.VICTIM + " carries packets again");
        } else if (revivedAtNs != 0 && !isRevived && (state == ACTIVE || state == CONGESTED)) {
            // It may be congested before the next report tells that it was active.
            isRevived = true;
            verdict.pathsRevived = isVictimDead ? 1 : 0;
            screen.say("path " + DemoPlan.VICTIM + " answered two probes and is back in service");
        }
    }

    /** The bytes may be over before the path is back; that is worth waiting for, but not for ever. */
    private boolean isWaitingForVictim() {
        if (!isKilled || isRevived) {
            return false;
        }
        return System.nanoTime() - Math.max(killedAtNs, revivedAtNs) < 2 * REVIVAL_NS;
    }

    private void conclude(DemoProcess sender, DemoProcess receiver) throws InterruptedException {
        if (!sender.isAlive() || !receiver.isAlive()) {
            return;
        }
        sender.order("quit");
        JsonNode sent = sender.await("done", START_MS);
        receiver.order("quit");
        JsonNode received = receiver.await("done", START_MS);
        verdict.metricsScraped = (sent.path("hasMetrics").asBoolean() ? 1 : 0)
                + (received.path("hasMetrics").asBoolean() ? 1 : 0);
        verdict.bytesVerified = received.path("checked").asLong() * settings.messageBytes
                - received.path("wrong").asLong();
        verdict.wrongBytes =
                received.path("wrong").asLong() + received.path("outOfTurn").asLong();
        verdict.duplicatePlacements = received.path("late").asLong();
        verdict.packetsLostOnKilledPath =
                sent.path("killed").asLong() + received.path("killed").asLong();
        verdict.packetsLostByFault =
                sent.path("lost").asLong() + received.path("lost").asLong();
        verdict.dataPacketsLostByFault =
                sent.path("lostData").asLong() + received.path("lostData").asLong();
        // Both sides, as for losses: the receiver's grants are data as well.
        verdict.retransmittedPackets = sent.path("retransmitted").asLong()
                + received.path("retransmitted").asLong();
        verdict.duplicatesDropped =
                sent.path("duplicates").asLong() + received.path("duplicates").asLong();
        verdict.packetsMissedByKernel =
                sent.path("missed").asLong() + received.path("missed").asLong();
        verdict.timeouts =
                sent.path("timeouts").asLong() + received.path("timeouts").asLong();
    }
}
