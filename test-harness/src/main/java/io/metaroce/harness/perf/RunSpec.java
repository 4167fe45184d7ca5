// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.perf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.metaroce.harness.app.TransferPlan;

/**
 * What client and server agree on for one run, which is one row of the table; sent as the private data of each of its
 * streams.
 *
 * @param test what is measured
 * @param sizeBytes of a message
 * @param queuePairs streams of the run
 * @param depth messages under way on each, a power of two
 * @param iterations messages on each stream, 0 when a time is measured
 * @param isVerified whether every byte is checked
 * @param seed of the run's payload
 */
record RunSpec(
        PerfTest test, long sizeBytes, int queuePairs, int depth, long iterations, boolean isVerified, long seed) {
    /** Of this exchange; a peer with another is refused by name. */
    static final int VERSION = 1;
    /** The service that takes runs. */
    static final String SERVICE = "perf";

    /** Bytes that the buffers of all slots of a run take at most on each side, as long as that leaves two slots. */
    static final long BUFFER_BYTES_MAX = 256L << 20;

    /** Beyond this a run is refused, however few slots it has. */
    static final long BUFFER_BYTES_LIMIT = 4L << 30;

    static final int QUEUE_PAIRS_MAX = 512;
    static final int DEPTH_MIN = 2;

    private static final int HELD_FRACTION = 8;
    private static final long STREAM_STEP = 0x9E37_79B9_7F4A_7C15L;

    /** A spec whose buffers fit: the depth is halved while they do not. */
    static int depthThatFits(int wanted, long sizeBytes, int queuePairs) {
        int depth = Math.max(DEPTH_MIN, Math.min(TransferPlan.SLOTS_MAX, powerOfTwo(wanted)));
        long slotBytes = Math.max(64, sizeBytes);
        while (depth > DEPTH_MIN && depth * slotBytes * queuePairs > BUFFER_BYTES_MAX) {
            depth /= 2;
        }
        return depth;
    }

    private static int powerOfTwo(int atLeast) {
        return atLeast <= 1 ? 1 : Integer.highestOneBit(atLeast - 1) << 1;
    }

    /** The transfer on one stream. */
    TransferPlan plan(int stream) {
        int held = isVerified ? depth / HELD_FRACTION : 0;
        long streamSeed = seed + (stream + 1) * STREAM_STEP;
        return new TransferPlan(test.operation(), sizeBytes, depth, held, streamSeed, isVerified);
    }

    ObjectNode toJson(int stream) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("version", VERSION)
                .put("test", test.word())
                .put("size", sizeBytes)
                .put("queue_pairs", queuePairs)
                .put("depth", depth)
                .put("iterations", iterations)
                .put("verify", isVerified)
                .put("seed", Long.toHexString(seed))
                .put("stream", stream);
    }

    /** The stream that a spec was sent for. */
    static int stream(JsonNode json) {
        return json.path("stream").asInt(-1);
    }

    /**
     * Reads what a peer sent.
     *
     * @throws IllegalArgumentException with one line that names what cannot be
     */
    static RunSpec fromJson(JsonNode json) {
        int version = json.path("version").asInt(-1);
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "perf version mismatch: this side speaks " + VERSION + ", the other " + version);
        }
        RunSpec spec = new RunSpec(
                PerfTest.of(json.path("test").asText()),
                bounded(json, "size", 0, SizeText.SIZE_MAX),
                (int) bounded(json, "queue_pairs", 1, QUEUE_PAIRS_MAX),
                (int) bounded(json, "depth", DEPTH_MIN, TransferPlan.SLOTS_MAX),
                bounded(json, "iterations", 0, Long.MAX_VALUE),
                json.path("verify").asBoolean(true),
                Long.parseUnsignedLong(json.path("seed").asText("0"), 16));
        bounded(json, "stream", 0, spec.queuePairs - 1);
        spec.requireThatItFits();
        return spec;
    }

    /**
     * Checks the memory that both sides would take.
     *
     * @throws IllegalArgumentException naming it
     */
    void requireThatItFits() {
        long bytes = depth * Math.max(64, sizeBytes) * queuePairs;
        boolean isHalved = depthThatFits(depth, sizeBytes, queuePairs) == depth;
        if (!isHalved || bytes > BUFFER_BYTES_LIMIT) {
            throw new IllegalArgumentException(
                    "the run needs " + (bytes >> 20) + " MiB of buffers on each side; at most "
                            + (BUFFER_BYTES_LIMIT >> 20) + " MiB are permitted: lower -s or -q");
        }
    }

    private static long bounded(JsonNode json, String name, long min, long max) {
        JsonNode value = json.path(name);
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.asLong() < min || value.asLong() > max) {
            throw new IllegalArgumentException(
                    "perf: " + name + " must be " + min + " to " + max + ", was " + value.asText("missing"));
        }
        return value.asLong();
    }
}
