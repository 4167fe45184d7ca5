// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.connection;

import io.metaroce.transport.path.CongestedRounds;
import io.metaroce.transport.path.Path;
import io.metaroce.transport.path.PathReason;
import io.metaroce.transport.path.PathState;

/**
 * What becomes of paths: suspicion, death by silence or by a sibling's evidence, revival, another entropy, and the fate that
 * the paths of a plane share (MOP-PATH-9 to MOP-PATH-22, MOP-PATH-33).
 */
final class PathFates {
    private final ConnectionState connection;
    private final PathSender[] paths;
    private final Transmission transmission;

    PathFates(ConnectionState connection, PathSender[] paths, Transmission transmission) {
        this.connection = connection;
        this.paths = paths;
        this.transmission = transmission;
    }

    void onTimer(long nowNs) {
        for (PathSender path : paths) {
            switch (path.onTimer(hasAnsweringSibling(path), nowNs)) {
                case NONE -> {
                    // Nothing expired.
                }
                case PROBE -> transmission.copyBlocking(path);
                case SUSPECT -> suspect(path);
                case DIE -> die(path, PathReason.TIMEOUTS, nowNs);
            }
            if (path.takeEvidenceDue(nowNs)) {
                demandProbeOfSibling(path);
            }
            if (path.isUnrepairable()) {
                giveUp(path, nowNs);
            }
        }
        connection.ended.onTimer(transmission, nowNs);
    }

    /** A path was answered on itself, for something later than ever before (MOP-PATH-11, MOP-PATH-33). */
    void onAnswer(PathSender answered, boolean wasRevived, long nowNs) {
        if (!answered.path.isLiving()) {
            return;
        }
        for (PathSender path : paths) {
            if (path.path.state() == PathState.SUSPECT && path.isRefutedBy(answered)) {
                die(path, PathReason.SIBLING_EVIDENCE, nowNs);
            } else if (wasRevived && path.path.plane() == answered.path.plane()) {
                path.hope(nowNs);
            }
        }
    }

    /** A round trip of a path has ended: its state follows, and a good entropy is remembered (MOP-PATH-17, MOP-PATH-31). */
    void onRound(PathSender path) {
        CongestedRounds rounds = path.feedback.rounds();
        Path it = path.path;
        if (it.state() == PathState.ACTIVE && rounds.congestedInARow() >= CongestedRounds.ENTER) {
            connection.enter(it, PathState.CONGESTED, PathReason.CONGESTION);
        } else if (it.state() == PathState.CONGESTED && rounds.cleanInARow() >= CongestedRounds.LEAVE) {
            connection.enter(it, PathState.ACTIVE, PathReason.CONGESTION);
        }
        if (rounds.cleanInARow() == CongestedRounds.GOOD) {
            connection.entropies[it.plane()].onGood(it.sourcePortIndex());
        }
    }

    /**
     * Whether a path should take another way, now: it alone is congested, so it is the way that is; and its last change is
     * settled, which also keeps epochs from coming round too soon (MOP-PATH-16, MOP-PATH-17).
     */
    boolean wantsOtherWay(PathSender path, long nowNs) {
        return path.path.state() == PathState.CONGESTED
                && path.feedback.rounds().congestedInARow() >= CongestedRounds.CHANGE_WAY
                && path.health.timeouts() == 0
                && path.isSettled(nowNs)
                && connection.settings.planes().get(path.path.plane()).sourcePorts() > 1
                && !connection.ended.isMoving(path.path.id())
                && connection.ended.hasRoom()
                && hasCleanSibling(path);
    }

    /** The path goes on another way; what is in flight on the old one has one timeout to be acknowledged (MOP-PATH-15). */
    void changeWay(PathSender path, long nowNs) {
        long moveAtNs = nowNs + path.undoubledTimeoutNs();
        path.sent = connection.ended.keep(path, moveAtNs, transmission, nowNs);
        path.changeWay(nowNs);
        transmission.inFlightIsStale();
        connection.enter(path.path, PathState.ACTIVE, PathReason.CONGESTION);
    }

    /** A plane went down, here or at the peer: its paths are denied at once, their content moves (MOP-PATH-22). */
    void onPlane(int plane, boolean isUp, long nowNs) {
        for (PathSender path : paths) {
            if (path.path.plane() != plane) {
                continue;
            }
            if (!isUp && path.path.state() != PathState.DENIED) {
                endEpoch(path, nowNs);
                path.rest();
                connection.enter(path.path, PathState.DENIED, PathReason.PLANE_DOWN);
            } else if (isUp && path.path.state() == PathState.DENIED) {
                path.die(nowNs);
                connection.enter(path.path, PathState.PROBING, PathReason.PLANE_UP);
            }
        }
    }

    /** A living path other than the given one; -1 if there is none. */
    int livingSibling(int pathId) {
        for (int i = 1; i <= paths.length; i++) {
            int sibling = Math.floorMod(pathId + i, paths.length);
            if (sibling != pathId && paths[sibling].path.isLiving() && paths[sibling].health.timeouts() == 0) {
                return sibling;
            }
        }
        return -1;
    }

    /**
     * Whether a sibling has answered something that was sent after this path fell silent: then the silence is the path's
     * own, not that of a peer whose loop stands still (MOP-PATH-10).
     */
    private boolean hasAnsweringSibling(PathSender path) {
        for (PathSender sibling : paths) {
            if (sibling != path && sibling.hasAnsweredSince(path.hearing.silentSinceNs())) {
                return true;
            }
        }
        return false;
    }

    private boolean hasCleanSibling(PathSender path) {
        for (PathSender sibling : paths) {
            if (sibling != path
                    && sibling.path.plane() == path.path.plane()
                    && sibling.path.isLiving()
                    && sibling.feedback.rounds().cleanInARow() > 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * A suspected path's siblings must show whether they are any better, so one of them is asked. A path that never carried
     * anything stays in opening: its probes must go on being full packets (MOP-PATH-7).
     */
    private void suspect(PathSender path) {
        demandProbeOfSibling(path);
        if (path.path.state() != PathState.OPENING) {
            if (path.path.state() != PathState.SUSPECT) {
                doubtPlane(path);
            }
            connection.enter(path.path, PathState.SUSPECT, PathReason.TIMEOUTS);
        }
    }

    private void demandProbeOfSibling(PathSender path) {
        int sibling = livingSibling(path.path.id());
        if (sibling >= 0) {
            paths[sibling].demandProbe();
        }
    }

    /** Paths of one plane share its fate: those not heard of since this one fell silent must answer first (MOP-PATH-33). */
    private void doubtPlane(PathSender silent) {
        for (PathSender path : paths) {
            if (path != silent
                    && path.path.plane() == silent.path.plane()
                    && path.path.isLiving()
                    && !path.hasAnsweredSince(silent.hearing.silentSinceNs())) {
                path.doubt();
            }
        }
    }

    /** One packet was sent over and over in vain although the path answers (MOP-LOSS-22). */
    private void giveUp(PathSender path, long nowNs) {
        if (path.path.isLiving() && livingSibling(path.path.id()) >= 0) {
            die(path, PathReason.UNREPAIRABLE, nowNs);
        } else if (path.futileRepair.wasFutileAt(
                nowNs - connection.settings.limits().connectionTimeoutNs())) {
            connection.lose(LossReason.UNREPAIRABLE);
        }
    }

    private void die(PathSender path, PathReason reason, long nowNs) {
        endEpoch(path, nowNs);
        path.die(nowNs);
        // MOP-PATH-12
        connection.enter(path.path, PathState.DEAD, reason);
        connection.enter(path.path, PathState.PROBING, reason);
    }

    /** Everything in flight on the path moves now; late ACKs may still say that it arrived (MOP-PATH-12, MOP-PATH-13). */
    private void endEpoch(PathSender path, long nowNs) {
        transmission.moveAll(path.sent);
        path.sent = connection.ended.keep(path, Long.MAX_VALUE, transmission, nowNs);
    }
}
