// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.Serial;
import io.metaroce.wire.Syndrome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.agrona.collections.Int2IntHashMap;
import org.jspecify.annotations.Nullable;

/** What is sent toward one connection id: one direction of a connection. */
final class Flow {
    /** What a content is to its flow. */
    enum Content {
        NEW,
        SEEN,
        /** Seen with other words. */
        CHANGED,
        /** Sent earlier than what was seen first: overtaken on another path. */
        OVERTAKEN
    }

    private static final int PATHS_MAX = 256;
    private static final int CONTENTS = 1 << 14;
    private static final int STREAMS_MAX = 1 << 16;
    private static final int UNKNOWN = Integer.MIN_VALUE;

    final int connectionId;
    final long sourceHigh;
    final long sourceLow;
    final long destinationHigh;
    final long destinationLow;
    long packets;
    long payloadBytes;
    long messages;
    long firstNs = Long.MIN_VALUE;
    long lastNs;
    long lastDataNs = Long.MIN_VALUE;
    long lastAckNs = Long.MIN_VALUE;
    boolean isAskingForCredit;
    int hint = -1;
    int latestExpected;
    boolean hasExpected;
    /** The other direction, once an echo has shown which it is. */
    @Nullable
    Flow peer;

    private final @Nullable PathTrace[] paths = new @Nullable PathTrace[PATHS_MAX];
    private final int[] contents = new int[CONTENTS];
    private final int[] words = new int[CONTENTS];
    private final int[] contentTimestamps = new int[CONTENTS];
    private final byte[] contentPaths = new byte[CONTENTS];
    private final Int2IntHashMap limits = new Int2IntHashMap(UNKNOWN);
    private final Map<Syndrome, Long> errors = new EnumMap<>(Syndrome.class);

    Flow(int connectionId, long sourceHigh, long sourceLow, long destinationHigh, long destinationLow) {
        this.connectionId = connectionId;
        this.sourceHigh = sourceHigh;
        this.sourceLow = sourceLow;
        this.destinationHigh = destinationHigh;
        this.destinationLow = destinationLow;
        // No content has both its slot's number and these words before it is seen.
        Arrays.fill(contents, -1);
        contents[CONTENTS - 1] = 0;
    }

    @Nullable
    PathTrace path(int id) {
        return paths[id];
    }

    PathTrace add(int id) {
        PathTrace path = new PathTrace(id);
        paths[id] = path;
        return path;
    }

    List<PathTrace> paths() {
        List<PathTrace> all = new ArrayList<>();
        for (PathTrace path : paths) {
            if (path != null) {
                all.add(path);
            }
        }
        return all;
    }

    /** Remembers a content by its CSN, and compares it with what the CSN named before. */
    Content onContent(PacketView packet, DataFlyweight data) {
        int sequence = data.connectionSequence();
        int slot = sequence & (CONTENTS - 1);
        int said = ((data.streamId() * 31 + data.opcode()) * 31 + data.messageSequence()) * 31 + data.payloadLength();
        if (contents[slot] != sequence) {
            contents[slot] = sequence;
            words[slot] = said;
            contentTimestamps[slot] = data.timestamp();
            contentPaths[slot] = (byte) data.pathId();
            return Content.NEW;
        }
        if (Serial.isBefore(data.timestamp(), contentTimestamps[slot])) {
            return Content.OVERTAKEN;
        }
        boolean isFiller = data.streamId() == 0
                && data.messageSequence() == 0
                && (packet.opcode() == Opcode.SEND || packet.opcode() == Opcode.ERROR);
        return words[slot] == said || isFiller ? Content.SEEN : Content.CHANGED;
    }

    /** The path on which a CSN was seen first. */
    int pathOf(int connectionSequence) {
        return contentPaths[connectionSequence & (CONTENTS - 1)] & 0xff;
    }

    /** The peer can take messages of a stream below a limit. */
    void onLimit(int streamId, int limit) {
        int known = limits.get(streamId);
        if ((known == UNKNOWN && limits.size() < STREAMS_MAX) || (known != UNKNOWN && limit - known > 0)) {
            limits.put(streamId, limit);
        }
    }

    /** Whether a receive number is known to lie beyond what the peer announced for the stream. */
    boolean exceedsLimit(int streamId, int receiveNumber) {
        int known = limits.get(streamId);
        return known != UNKNOWN && receiveNumber - known >= 0;
    }

    void onError(Syndrome syndrome) {
        errors.merge(syndrome, 1L, Long::sum);
    }

    Map<Syndrome, Long> errors() {
        return errors;
    }

    boolean hasOutstanding() {
        for (PathTrace path : paths) {
            if (path != null && path.hasOutstanding()) {
                return true;
            }
        }
        return false;
    }

    boolean isBetween(long fromHigh, long fromLow, long toHigh, long toLow) {
        return sourceHigh == fromHigh && sourceLow == fromLow && destinationHigh == toHigh && destinationLow == toLow;
    }
}
