// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import com.fasterxml.jackson.databind.JsonNode;
import io.metaroce.harness.compliance.Case.Condition;
import io.metaroce.harness.compliance.Case.Step;
import io.metaroce.harness.compliance.Recording.Frame;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Plays one case against a target. */
final class CaseRun {
    private static final int WITHIN_MS = 2_000;
    private static final int SILENCE_MS = 60;
    private static final int ECT0 = 2;

    private final Peer peer;
    private final PacketMaker maker;
    /** Frames up to this one are spoken for. */
    private int cursor;
    /** What was expected last, for {@code save}. */
    private @Nullable Packet matched;

    private int decisive;

    private CaseRun(Peer peer) {
        this.peer = peer;
        this.maker = new PacketMaker(peer);
    }

    /** The verdict on a target whose control channel is at an address. */
    static Verdict play(Case played, InetSocketAddress target, @Nullable Mutant mutant) {
        long startNs = System.nanoTime();
        Recording recording = null;
        CaseFailure failure = null;
        String step = "";
        try (Peer peer = new Peer(target, mutant)) {
            recording = peer.recording;
            CaseRun run = new CaseRun(peer);
            try {
                if (!played.options().getOrDefault("connection", "yes").equals("raw")) {
                    peer.hello();
                }
                if (played.options().getOrDefault("connection", "yes").equals("yes")) {
                    peer.connect(played.options());
                }
                for (Step next : played.steps()) {
                    step = next.line() + ": " + next.text();
                    run.step(next);
                }
            } catch (CaseFailure e) {
                e.frame = e.frame == 0 ? run.decisive : e.frame;
                failure = e;
            }
        } catch (IOException e) {
            failure = new CaseFailure("", "a target that can be reached", String.valueOf(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = new CaseFailure("", "a run to its end", "an interruption");
        }
        return new Verdict(played, failure, step, recording, (System.nanoTime() - startNs) / 1_000_000);
    }

    private void step(Step step) throws IOException, InterruptedException {
        switch (step.verb()) {
            case "send" -> send(step);
            case "raw" -> peer.send(HexFormat.of().parseHex(step.words().get(1)), step.text(), ECT0);
            case "expect" -> expect(step);
            case "never" -> never(step);
            case "control" -> control(step);
            case "auto" -> auto(step);
            case "save" -> save(step);
            case "command" -> command(step);
            case "readback" -> readback(step);
            case "alive" -> alive();
            case "lost" -> lost();
            default -> throw new IllegalStateException(step.text());
        }
    }

    private void auto(Step step) {
        boolean isOn = step.words().get(2).equals("on");
        if (step.words().get(1).equals("probes")) {
            peer.answersProbes = isOn;
        } else {
            peer.answersData = isOn;
        }
    }

    private void save(Step step) {
        Packet last = matched;
        if (last == null) {
            throw new CaseFailure("", "a packet to save from", "none yet");
        }
        for (Condition condition : step.conditions()) {
            String field = condition.value();
            peer.names.put(condition.name(), last.get(field));
        }
    }

    private void send(Step step) throws IOException {
        int repeat = (int) peer.names.value(step.value("repeat", "1"));
        for (int i = 0; i < repeat; i++) {
            byte[] bytes = maker.make(step).encode();
            if (step.has("corrupt")) {
                bytes[bytes.length - 1 - Integer.parseInt(step.value("corrupt", "0"))] ^= 1;
            }
            if (step.has("cut")) {
                bytes = Arrays.copyOf(bytes, bytes.length - Integer.parseInt(step.value("cut", "0")));
                Packet.seal(bytes);
            }
            if (step.has("append")) {
                bytes = Arrays.copyOf(bytes, bytes.length + Integer.parseInt(step.value("append", "0")));
                Packet.seal(bytes);
            }
            peer.send(bytes, step.text(), Integer.parseInt(step.value("tos", "2")));
        }
    }

    private void expect(Step step) throws InterruptedException {
        long deadlineNs = deadline(step.value("within", String.valueOf(WITHIN_MS)));
        int looking = cursor;
        String nearest = "no " + step.words().get(1);
        Frame frame = peer.recording.after(looking, deadlineNs);
        while (frame != null) {
            looking++;
            String mismatch = mismatch(frame, step);
            if (mismatch == null) {
                cursor = looking;
                matched = frame.packet;
                frame.comment = frame.comment + " line " + step.line() + " expected this";
                return;
            }
            if (!mismatch.isEmpty()) {
                nearest = "frame " + frame.number + ": " + mismatch + " (" + frame.packet + ")";
                decisive = frame.number;
            }
            frame = peer.recording.after(looking, deadlineNs);
        }
        CaseFailure failure = new CaseFailure("", step.text(), nearest);
        failure.frame = decisive == 0 ? peer.recording.size() : decisive;
        throw failure;
    }

    private void never(Step step) throws InterruptedException {
        long deadlineNs = deadline(step.value("for", String.valueOf(SILENCE_MS)));
        int looking = cursor;
        Frame frame = peer.recording.after(looking, deadlineNs);
        while (frame != null) {
            looking++;
            if (mismatch(frame, step) == null) {
                CaseFailure failure = new CaseFailure("", step.text(), "frame " + frame.number + ": " + frame.packet);
                failure.frame = frame.number;
                throw failure;
            }
            frame = peer.recording.after(looking, deadlineNs);
        }
    }

    private static long deadline(String ms) {
        return System.nanoTime() + Long.parseLong(ms.replace("ms", "")) * 1_000_000;
    }

    /** Null if a frame is what a step names; empty if it is another kind of packet; else what differs. */
    private @Nullable String mismatch(Frame frame, Step step) {
        if (frame.isOurs) {
            return "";
        }
        Packet packet = frame.packet;
        if (packet == null) {
            throw new CaseFailure(frame.comment.split("[,:]", -1)[0], "well-formed packets", frame.comment);
        }
        String kind = step.words().get(1);
        boolean isKind = kind.equals("ANY")
                || kind.equals(packet.name)
                || (kind.equals("DATA") && Packet.isOperation(packet.name));
        if (!isKind) {
            return "";
        }
        for (Condition condition : step.conditions()) {
            String mismatch = peer.names.mismatch(packet, condition);
            if (mismatch != null) {
                return mismatch;
            }
        }
        return null;
    }

    /** A command to the responder: {@code docs/compliance.md}. */
    private void command(Step step) throws IOException {
        peer.send(maker.command(step), step.text(), ECT0);
    }

    /** Asks for bytes of the region and compares them. */
    private void readback(Step step) throws IOException, InterruptedException {
        peer.send(maker.command(step), step.text(), ECT0);
        Step answer = new Step(
                step.line(),
                step.text(),
                List.of("expect", "SEND"),
                step.conditions().stream()
                        .filter(condition -> condition.name().equals("fill"))
                        .toList());
        expect(answer);
    }

    /** The connection works: a PROBE is answered. */
    private void alive() throws IOException, InterruptedException {
        Packet probe = peer.fill(new Packet("PROBE"));
        long sent = peer.timestamp() & 0xffff_ffffL;
        probe.fields.put("transmit-timestamp", sent);
        probe.fields.put("epoch", maker.epoch());
        peer.send(probe, "alive?", ECT0);
        expect(new Step(
                0,
                "an ACK that echoes the PROBE of a living connection",
                List.of("expect", "ACK"),
                List.of(new Condition("echoed-timestamp", "=", String.valueOf(sent)))));
    }

    /** The connection has failed, and the target says so. */
    private void lost() throws IOException {
        JsonNode close = peer.channel.readType("CLOSE", WITHIN_MS);
        if (close == null || !close.path("code").asText().equals("lost")) {
            throw new CaseFailure(
                    "", "CLOSE with code lost", close == null ? "the end of the channel" : close.toString());
        }
    }

    private void control(Step step) throws IOException {
        String argument = step.words().size() > 2 ? step.words().get(2) : "";
        switch (step.words().get(1)) {
            case "send" -> peer.channel.send(argument);
            case "raw" -> peer.channel.raw(HexFormat.of().parseHex(argument));
            case "closed" -> {
                JsonNode message = peer.channel.read(WITHIN_MS);
                if (message != null) {
                    throw new CaseFailure("", "the end of the channel", message.toString());
                }
            }
            case "expect" -> controlExpect(argument);
            default -> throw new IllegalArgumentException(step.text());
        }
    }

    private void controlExpect(String argument) throws IOException {
        String[] words = argument.split("\\s+", -1);
        JsonNode message = peer.channel.readType(words[0], WITHIN_MS);
        if (message == null) {
            throw new CaseFailure("", "control message " + argument, "the end of the channel");
        }
        for (String word : Arrays.asList(words).subList(1, words.length)) {
            String[] pair = word.split("=", 2);
            String seen = message.at("/" + pair[0].replace('.', '/')).asText();
            if (!seen.equals(pair[1])) {
                throw new CaseFailure("", "control message " + argument, message.toString());
            }
        }
    }
}
