// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

/** A window that never changes: for links that cannot congest, and for tests of everything else. */
public final class FixedWindow implements CongestionControl {
    private final long windowBytes;

    public FixedWindow(long windowBytes) {
        this.windowBytes = windowBytes;
    }

    @Override
    public long windowBytes() {
        return windowBytes;
    }

    @Override
    public void onAcknowledged(long acknowledgedBytes, int packets, int markedPackets, long roundTripNs, long nowNs) {}

    @Override
    public void onTimeout(long nowNs) {}

    @Override
    public void onNewEpoch(long nowNs) {}

    @Override
    public boolean isCongested() {
        return false;
    }
}
