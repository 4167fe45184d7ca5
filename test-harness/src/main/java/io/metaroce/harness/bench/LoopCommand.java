// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** Runs one bare loop and prints what it gave as JSON; {@code bench peers} starts it. */
@CommandLine.Command(name = "loop", hidden = true, description = "Run one bare loop")
final class LoopCommand implements Callable<Integer> {
    private static final int AERON_4096 = 4096;
    private static final int AERON_8192 = 8192;

    @CommandLine.Parameters(index = "0", paramLabel = "LOOP", description = "Which.")
    private String loop = "";

    @CommandLine.Parameters(index = "1", paramLabel = "SECONDS", description = "How long.")
    private int seconds;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        switch (Loop.of(loop)) {
            case RAW_GSO8 -> result.put("bytesPerSecond", new SegmentLoop().run(seconds));
            case RAW_CHANNEL -> result.put("bytesPerSecond", ChannelLoop.bandwidth(seconds));
            case PING_PONG -> {
                Sample sample = ChannelLoop.pingPong(seconds);
                result.put("p50us", sample.p50us()).put("p99us", sample.p99us());
            }
            case AERON_4096 -> result.put("bytesPerSecond", new AeronLoop(AERON_4096).run(seconds));
            case AERON_8192 -> result.put("bytesPerSecond", new AeronLoop(AERON_8192).run(seconds));
        }
        spec.commandLine().getOut().println(result);
        return 0;
    }
}
