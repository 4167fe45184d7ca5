// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.demo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.metaroce.control.cli.Command;
import io.metaroce.control.cli.CommandFailure;
import io.metaroce.control.cli.CommandGroup;
import io.metaroce.control.cli.ExitCode;
import io.metaroce.control.config.ConfigLoader;
import io.metaroce.control.connect.OpenedStream;
import io.metaroce.control.connect.PeerConnection;
import io.metaroce.control.daemon.Daemon;
import io.metaroce.control.daemon.Node;
import io.metaroce.control.daemon.NodeOptions;
import io.metaroce.harness.app.NodeDevice;
import io.metaroce.harness.app.TransferPlan;
import io.metaroce.harness.app.TransferReceiver;
import io.metaroce.harness.app.TransferSender;
import io.metaroce.lane.ConnectionSpec.Sabotage;
import io.metaroce.queue.CompletionStatus;
import io.metaroce.verbs.Context;
import io.metaroce.verbs.ProtectionDomain;
import io.metaroce.wrap.FaultControl;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** One of the demonstration's two daemons, with its application: started by the demo, told what to do on standard input. */
@CommandLine.Command(
        name = "demo-node",
        hidden = true,
        description = "One of the two daemons of the demo; started by it.")
public final class DemoNodeCommand implements Command {
    private static final long REPORT_NS = 200_000_000;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @CommandLine.Option(
            names = "--peer",
            description = "Control port of the receiving daemon; without it this one receives.")
    private int peerPort;

    @CommandLine.Option(names = "--peer-host", description = "Host of the receiving daemon's control port.")
    private String peerHost = DemoPlan.HOST;

    @CommandLine.Option(names = "--addresses", required = true, split = ",", description = "One address a plane.")
    private List<String> addresses = List.of();

    @CommandLine.Option(names = "--messages", required = true, description = "Messages to move.")
    private long messages;

    @CommandLine.Option(names = "--message-bytes", required = true, description = "Size of each.")
    private long messageBytes;

    @CommandLine.Option(names = "--faults", required = true, description = "Faults of the port.")
    private String faults = "";

    @CommandLine.Option(names = "--seed", required = true, description = "Seed of the payload.")
    private long seed;

    @CommandLine.Option(names = "--sabotage", required = true, description = "Rule that is left out.")
    private Sabotage sabotage = Sabotage.NONE;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public CommandGroup group() {
        return CommandGroup.RUN;
    }

    @Override
    public Integer call() throws Exception {
        NodeOptions options = (peerPort == 0 ? NodeOptions.SERVING : NodeOptions.CLIENT)
                .withFaults()
                .withSabotage(sabotage);
        try (Daemon daemon =
                Daemon.start(ConfigLoader.load(null, Map.of(), settings()).config(), options)) {
            NodeDevice device = new NodeDevice(daemon.node());
            Context context = Context.open(device);
            ProtectionDomain domain = context.allocateProtectionDomain();
            TransferPlan plan = DemoPlan.transfer(messages, messageBytes, seed);
            if (peerPort == 0) {
                receive(daemon, device, context, domain, plan);
            } else {
                send(daemon, device, context, domain, plan);
            }
        }
        return ExitCode.OK;
    }

    private List<String> settings() {
        List<String> sets = new ArrayList<>(List.of(
                "control.port=0",
                "control.bind=" + addresses.get(0),
                "control.insecure_remote=true",
                "metrics.port=0",
                "transport.paths=" + DemoPlan.PATHS,
                "faults=" + faults));
        for (int plane = 0; plane < addresses.size(); plane++) {
            sets.add("ports[" + plane + "].address=" + addresses.get(plane));
            sets.add("ports[" + plane + "].udp_port=0");
        }
        return sets;
    }

    private void receive(Daemon daemon, NodeDevice device, Context context, ProtectionDomain domain, TransferPlan plan)
            throws Exception {
        Node node = daemon.node();
        AtomicReference<@Nullable TransferReceiver> receiving = new AtomicReference<>();
        AtomicReference<@Nullable PeerConnection> peer = new AtomicReference<>();
        node.serve(DemoPlan.SERVICE, incoming -> {
            TransferReceiver receiver = new TransferReceiver(context, domain, plan);
            device.accept(incoming, receiver.queuePair());
            receiver.postReceives();
            peer.set(incoming.connection());
            receiving.set(receiver);
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("address", receiver.address())
                    .put("rkey", receiver.rkey());
        });
        DemoTelemetry telemetry = new DemoTelemetry(node);
        Orders orders = new Orders(node);
        print(telemetry.event("ready").put("controlPort", node.controlPort()));
        drive(
                daemon,
                orders,
                telemetry,
                () -> {
                    TransferReceiver receiver = receiving.get();
                    return receiver == null ? 0 : receiver.doWork();
                },
                event -> {
                    TransferReceiver receiver = receiving.get();
                    if (receiver != null) {
                        if (orders.isOver()) {
                            receiver.checkHeld();
                        }
                        event.put("checked", receiver.checked());
                        event.put("wrong", receiver.wrongBytes());
                        event.put("late", receiver.lateBytes());
                        event.put("outOfTurn", receiver.outOfTurn());
                        putFailure(event, receiver.failure());
                        telemetry.describe(event, Objects.requireNonNull(peer.get()));
                    }
                });
    }

    private void send(Daemon daemon, NodeDevice device, Context context, ProtectionDomain domain, TransferPlan plan)
            throws Exception {
        Node node = daemon.node();
        PeerConnection peer = node.connect(peerHost, peerPort, PATIENCE, line -> {});
        TransferSender sender = new TransferSender(context, domain, plan);
        OpenedStream stream = device.connect(
                peer, DemoPlan.SERVICE, JsonNodeFactory.instance.objectNode(), sender.queuePair(), PATIENCE);
        sender.start(
                stream.peerData().get("address").asLong(),
                stream.peerData().get("rkey").asInt());
        sender.limit(DemoPlan.untilKilled(messages));
        DemoTelemetry telemetry = new DemoTelemetry(node);
        Orders orders = new Orders(node);
        int payloadBytes = peer.ready().get();
        print(telemetry
                .event("ready")
                .put("payloadBytes", payloadBytes)
                .put("blackHole", peer.blackHole(payloadBytes)));
        Work work = () -> {
            if (orders.hasKilled()) {
                sender.limit(messages);
            }
            return sender.doWork();
        };
        drive(daemon, orders, telemetry, work, event -> {
            event.put("checked", sender.checked());
            putFailure(event, sender.failure());
            telemetry.describe(event, peer);
        });
    }

    /** Some work of the application; returns how much. */
    private interface Work {
        int doWork();
    }

    /** What the application has to say in a report. */
    private interface Report {
        void into(ObjectNode event);
    }

    private void drive(Daemon daemon, Orders orders, DemoTelemetry telemetry, Work work, Report report)
            throws InterruptedException {
        IdleStrategy idle = new BackoffIdleStrategy(100, 10, 1_000, 100_000);
        long nextReportNs = System.nanoTime();
        while (!orders.isOver()) {
            idle.idle(work.doWork());
            long nowNs = System.nanoTime();
            if (nowNs - nextReportNs >= 0) {
                nextReportNs = nowNs + REPORT_NS;
                ObjectNode event = telemetry.event("progress");
                report.into(event);
                print(event);
            }
        }
        ObjectNode last =
                telemetry.event("done").put("hasMetrics", DemoTelemetry.metricsAreServed(daemon.metricsPort()));
        report.into(last);
        print(last);
    }

    private static void putFailure(ObjectNode event, CompletionStatus failure) {
        if (failure != CompletionStatus.SUCCESS) {
            event.put("failure", failure.name());
        }
    }

    private void print(ObjectNode event) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(event);
        out.flush();
    }

    /** Orders from the demo: {@code kill N}, {@code revive N}, {@code quit}; the end of input is {@code quit} as well. */
    private static final class Orders {
        private final Node node;
        private volatile boolean isOver;
        private volatile boolean hasKilled;

        Orders(Node node) {
            this.node = node;
            Thread reader = new Thread(this::read, "demo-orders");
            reader.setDaemon(true);
            reader.start();
        }

        boolean hasKilled() {
            return hasKilled;
        }

        boolean isOver() {
            return isOver;
        }

        private void read() {
            try (java.util.Scanner lines = new java.util.Scanner(System.in, java.nio.charset.StandardCharsets.UTF_8)) {
                while (!isOver && lines.hasNextLine()) {
                    obey(lines.nextLine().trim());
                }
            } finally {
                isOver = true;
            }
        }

        private void obey(String order) {
            FaultControl faults = node.faults();
            if (faults == null) {
                throw new CommandFailure("the demo's ports have no faults in front of them");
            }
            if (order.startsWith("kill ")) {
                faults.killPath(Integer.parseInt(order.substring(5)));
                hasKilled = true;
            } else if (order.startsWith("revive ")) {
                faults.revivePath(Integer.parseInt(order.substring(7)));
            } else {
                isOver = true;
            }
        }
    }
}
