// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.metaroce.control.cli.CommandFailure;
import io.metaroce.control.config.ConfigException;
import io.metaroce.control.config.ConfigLoader;
import io.metaroce.control.connect.ConnectFailure;
import io.metaroce.control.connect.IncomingStream;
import io.metaroce.control.daemon.Node;
import io.metaroce.control.daemon.NodeOptions;
import io.metaroce.control.daemon.StartFailure;
import io.metaroce.harness.app.NodeDevice;
import io.metaroce.verbs.Context;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The application at the target's side: it exposes memory, takes messages, and does what a message asks for. What it speaks
 * is in {@code docs/compliance.md}, so that any implementation can provide it.
 */
final class Responder implements AutoCloseable {
    static final String SERVICE = "compliance";
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long STOP_TIMEOUT_MS = 5_000;

    private final Node node;
    private final NodeDevice device;
    private final Context context;
    private final Queue<ResponderStream> arriving = new ConcurrentLinkedQueue<>();
    private final List<ResponderStream> streams = new ArrayList<>();
    private final Thread thread = new Thread(this::run, "compliance-responder");
    private volatile boolean isStopping;

    private Responder(Node node) {
        this.node = node;
        this.device = new NodeDevice(node);
        this.context = Context.open(device);
    }

    /**
     * Starts a node on sockets with the application on it.
     *
     * @param port of the control channel; 0 for any
     */
    static Responder start(String address, int port, NodeOptions options) {
        List<String> sets = List.of(
                "metrics.enabled=false",
                "transport.paths=4",
                "ports[0].address=" + address,
                "ports[0].udp_port=0",
                "ports[0].source_ports=64",
                "control.bind=" + address,
                "control.port=" + port,
                "control.insecure_remote=true");
        if (System.getProperty("metaroce.log.level") == null) {
            System.setProperty("metaroce.log.level", "OFF");
        }
        try {
            Responder responder = new Responder(
                    Node.start(ConfigLoader.load(null, Map.of(), sets).config(), options));
            responder.node.serve(SERVICE, responder::onOpen);
            responder.thread.setDaemon(true);
            responder.thread.start();
            return responder;
        } catch (ConfigException e) {
            throw new CommandFailure(String.join("; ", e.problems()), e);
        } catch (StartFailure e) {
            throw new CommandFailure(String.valueOf(e.getMessage()), e);
        }
    }

    int port() {
        return node.controlPort();
    }

    private JsonNode onOpen(IncomingStream incoming) throws ConnectFailure {
        // Each stream has a domain of its own, so that a key of another one is a foreign key.
        ResponderStream stream = new ResponderStream(context, device, incoming);
        arriving.add(stream);
        return stream.answer(JsonNodeFactory.instance.objectNode());
    }

    private void run() {
        while (!isStopping) {
            int work = 0;
            for (ResponderStream next = arriving.poll(); next != null; next = arriving.poll()) {
                streams.add(next);
                work++;
            }
            for (Iterator<ResponderStream> each = streams.iterator(); each.hasNext(); ) {
                ResponderStream stream = each.next();
                work += stream.doWork();
                if (stream.hasEnded()) {
                    each.remove();
                    stream.close();
                }
            }
            if (work == 0) {
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
        streams.forEach(ResponderStream::close);
    }

    @Override
    public void close() {
        isStopping = true;
        node.unserve(SERVICE);
        try {
            thread.join(STOP_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        node.close("the compliance responder is done");
    }
}
