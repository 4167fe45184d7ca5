// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import io.metaroce.control.connect.DataplaneListener;
import java.util.function.IntConsumer;

/** Passes events on, and has the numbers of a finished connection added to the totals first. */
final class RetiringListener implements DataplaneListener {
    private final DataplaneListener next;
    private final IntConsumer retire;

    RetiringListener(DataplaneListener next, IntConsumer retire) {
        this.next = next;
        this.retire = retire;
    }

    @Override
    public void onConnectionFinished(int localId) {
        retire.accept(localId);
        next.onConnectionFinished(localId);
    }

    @Override
    public void onReady(int localId, int payloadBytes) {
        next.onReady(localId, payloadBytes);
    }

    @Override
    public void onPathChanged(int localId, int pathId, String state, String reason) {
        next.onPathChanged(localId, pathId, state, reason);
    }

    @Override
    public void onStreamFailed(int localId, int streamId, String status) {
        next.onStreamFailed(localId, streamId, status);
    }

    @Override
    public void onStreamClosed(int localId, int streamId) {
        next.onStreamClosed(localId, streamId);
    }

    @Override
    public void onConnectionLost(int localId, String meaning) {
        next.onConnectionLost(localId, meaning);
    }

    @Override
    public void onPlanesAnnounced(int localId, long sequence, int usable) {
        next.onPlanesAnnounced(localId, sequence, usable);
    }

    @Override
    public void onPlaneLink(int plane, boolean isUp) {
        next.onPlaneLink(plane, isUp);
    }
}
