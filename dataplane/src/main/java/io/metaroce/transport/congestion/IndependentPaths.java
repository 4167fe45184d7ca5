// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

/** Bounds nothing beyond the windows of the paths, each of which goes its own way: for fixed windows and for tests. */
final class IndependentPaths implements ConnectionControl {
    private final CongestionControlFactory factory;
    private final ConnectionShape shape;

    IndependentPaths(CongestionControlFactory factory, ConnectionShape shape) {
        this.factory = factory;
        this.shape = shape;
    }

    @Override
    public CongestionControl newPath(int plane) {
        long initialBytes = Math.max(shape.packetBytes(), shape.initialBytes() / shape.paths());
        return factory.newPathControl(shape.packetBytes(), initialBytes, shape.pathLimitBytes());
    }

    @Override
    public long windowBytes(long nowNs) {
        return Long.MAX_VALUE;
    }

    @Override
    public long rateMbps(long nowNs) {
        return Long.MAX_VALUE;
    }

    @Override
    public long nextBurstNs(int plane) {
        return Long.MIN_VALUE;
    }

    @Override
    public void onSent(int plane, int packetBytes, long nowNs) {}

    @Override
    public void onHint(int plane, int epoch, long rateMbps, long nowNs) {}

    @Override
    public long hintMbps(long nowNs) {
        return 0;
    }
}
