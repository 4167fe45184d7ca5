// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.transport.recovery.SentPackets;
import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.Serial;
import org.jspecify.annotations.Nullable;

/**
 * What paths still had in flight when their epochs ended: late ACKs may yet say that it arrived (MOP-PATH-13), what the last
 * PROBE of the old epoch proves lost moves at once, and the rest after one timeout (MOP-PATH-15). As many epochs are
 * remembered as one plane has paths, each path's latest; if more end, the one that ended first is forgotten.
 */
final class EndedEpochs {
    private static final long NEVER = Long.MAX_VALUE;
    /** Long before connection sequences could come round. */
    private static final long FORGOTTEN_AFTER_NS = 16_000_000_000L;

    private final Ended[] epochs;
    private int outstanding;
    private long inFlightBytes;

    /** One path's ended epoch. */
    private static final class Ended {
        SentPackets sent = new SentPackets();
        int pathId = -1;
        int epoch;
        int lastTimestamp;
        boolean mayJudgeByEcho;
        long moveAtNs = NEVER;
        long endedAtNs;

        boolean isOf(int path, int number) {
            return pathId == path && epoch == number;
        }
    }

    /**
     * @param paths of the connection
     * @param planes of the connection
     */
    EndedEpochs(int paths, int planes) {
        epochs = new Ended[(paths + planes - 1) / planes];
        for (int i = 0; i < epochs.length; i++) {
            epochs[i] = new Ended();
        }
    }

    /** Whether a further epoch can end without one being forgotten for it. */
    boolean hasRoom() {
        for (Ended ended : epochs) {
            if (ended.pathId < 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether a path's last epoch still has something under way that has not moved. */
    boolean isMoving(int pathId) {
        for (Ended ended : epochs) {
            if (ended.pathId == pathId && ended.moveAtNs != NEVER) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes over a path's packets; the path begins another epoch with the empty ones that it gets in exchange.
     *
     * @param moveAtNs when what is unacknowledged moves; {@link Long#MAX_VALUE} if it has moved already
     */
    SentPackets keep(PathSender path, long moveAtNs, Transmission transmission, long nowNs) {
        if (path.sent.isEmpty()) {
            path.sent.reset();
            return path.sent;
        }
        Ended ended = slotFor(path.path.id());
        settle(ended, transmission);
        SentPackets empty = ended.sent;
        empty.reset();
        ended.sent = path.sent;
        ended.pathId = path.path.id();
        ended.epoch = path.path.epoch();
        ended.lastTimestamp = path.path.lastTimestamp();
        ended.mayJudgeByEcho = !path.isGuarded();
        ended.moveAtNs = moveAtNs;
        ended.endedAtNs = nowNs;
        if (moveAtNs == NEVER) {
            ended.sent.loseAll();
        }
        sum();
        return empty;
    }

    /** A path has begun a second epoch after its ended one, which then is forgotten (MOP-PATH-13). */
    void onEpochBegun(int pathId, int epoch) {
        for (Ended ended : epochs) {
            boolean isSecond = ended.pathId == pathId && ended.epoch != ((epoch - 1) & 0xff);
            if (isSecond && ended.moveAtNs == NEVER) {
                ended.pathId = -1;
            }
        }
    }

    boolean isEnded(AckFlyweight ack) {
        return find(ack) != null;
    }

    /** Whether an ACK of an ended epoch names nothing that was never sent in it (MOP-LOSS-27). */
    boolean isPlausible(AckFlyweight ack) {
        Ended ended = find(ack);
        return ended != null
                && ended.sent.isPlausible(ack.nextPathSequence())
                && !Serial.isAfter(ack.echoedTimestamp(), ended.lastTimestamp);
    }

    /** Takes an ACK of an ended epoch, for acknowledgement of contents only; what its echo proves lost moves now. */
    void onAck(AckFlyweight ack, Transmission transmission) {
        Ended ended = find(ack);
        if (ended == null) {
            return;
        }
        ended.sent.onAcknowledgement(ack, transmission);
        if (ended.moveAtNs != NEVER && ended.mayJudgeByEcho) {
            transmission.moveLost(ended.sent, ended.sent.detectLosses(ack.echoedTimestamp()));
        }
        if (ended.sent.isEmpty()) {
            settle(ended, transmission);
        }
        sum();
    }

    void onTimer(Transmission transmission, long nowNs) {
        for (Ended ended : epochs) {
            if (ended.pathId < 0) {
                continue;
            }
            if (ended.moveAtNs != NEVER && nowNs - ended.moveAtNs >= 0) {
                moveRest(ended, transmission);
            }
            if (nowNs - ended.endedAtNs >= FORGOTTEN_AFTER_NS) {
                settle(ended, transmission);
            }
        }
        sum();
    }

    long nextDeadlineNs() {
        long deadlineNs = NEVER;
        for (Ended ended : epochs) {
            deadlineNs = Math.min(deadlineNs, ended.moveAtNs);
        }
        return deadlineNs;
    }

    void onStall(long stallNs) {
        for (Ended ended : epochs) {
            if (ended.moveAtNs != NEVER) {
                ended.moveAtNs += stallNs;
            }
        }
    }

    /** Packets that may still be on their way and have not moved. */
    int outstanding() {
        return outstanding;
    }

    /** Bytes of the {@link #outstanding} packets. */
    long inFlightBytes() {
        return inFlightBytes;
    }

    private @Nullable Ended find(AckFlyweight ack) {
        for (Ended ended : epochs) {
            if (ended.isOf(ack.pathId(), ack.epoch())) {
                return ended;
            }
        }
        return null;
    }

    /** The path's own slot, a free one, or that of the epoch which ended first. */
    private Ended slotFor(int pathId) {
        Ended best = epochs[0];
        for (Ended ended : epochs) {
            if (ended.pathId == pathId) {
                return ended;
            }
            if (best.pathId >= 0 && (ended.pathId < 0 || ended.endedAtNs < best.endedAtNs)) {
                best = ended;
            }
        }
        return best;
    }

    private void moveRest(Ended ended, Transmission transmission) {
        if (ended.moveAtNs != NEVER) {
            transmission.moveAll(ended.sent);
            ended.sent.loseAll();
            ended.moveAtNs = NEVER;
        }
    }

    /** Nothing of an epoch is left to wait for. */
    private void settle(Ended ended, Transmission transmission) {
        moveRest(ended, transmission);
        ended.pathId = -1;
        sum();
    }

    private void sum() {
        outstanding = 0;
        inFlightBytes = 0;
        for (Ended ended : epochs) {
            if (ended.pathId >= 0 && ended.moveAtNs != NEVER) {
                outstanding += ended.sent.outstanding();
                inFlightBytes += ended.sent.inFlightBytes();
            }
        }
    }
}
