// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

/** The connection's window: over its planes, the sum of the living paths' windows under the plane's cap (MOP-CC-13). */
final class AimdConnection implements ConnectionControl {
    private final AimdPlane[] planes;
    private final LossJudge losses;
    private final int packetBytes;

    AimdConnection(CongestionSettings settings, ConnectionShape shape) {
        this.packetBytes = shape.packetBytes();
        this.planes = new AimdPlane[shape.planes()];
        this.losses = new LossJudge(settings.noiseNs());
        for (int plane = 0; plane < planes.length; plane++) {
            planes[plane] = new AimdPlane(settings, shape, plane, this);
        }
    }

    @Override
    public CongestionControl newPath(int plane) {
        return planes[plane].newPath();
    }

    @Override
    public long windowBytes(long nowNs) {
        long bytes = 0;
        for (AimdPlane plane : planes) {
            bytes += plane.windowBytes(nowNs);
        }
        return Math.max(packetBytes, bytes);
    }

    @Override
    public long rateMbps(long nowNs) {
        long rateMbps = 0;
        for (AimdPlane plane : planes) {
            rateMbps += plane.allowedMbps(nowNs);
        }
        return rateMbps;
    }

    @Override
    public long nextBurstNs(int plane) {
        return planes[plane].pacer().nextNs();
    }

    @Override
    public void onSent(int plane, int packetBytes, long nowNs) {
        planes[plane].onSent(packetBytes, nowNs);
    }

    @Override
    public void onHint(int plane, int epoch, long rateMbps, long nowNs) {
        planes[plane].onHint(epoch, rateMbps, nowNs);
    }

    @Override
    public long hintMbps(long nowNs) {
        long rateMbps = 0;
        for (AimdPlane plane : planes) {
            rateMbps += plane.hintMbps(nowNs);
        }
        return rateMbps;
    }

    void onSample(long queueNs, long baseNs) {
        losses.onSample(queueNs, baseNs);
    }

    void onDelivered(int packets, long roundTripNs, long nowNs) {
        int kept = losses.onDelivered(packets, roundTripNs, nowNs);
        if (kept < LossJudge.ALL && hintMbps(nowNs) == 0) {
            for (AimdPlane plane : planes) {
                plane.onOverflow(kept);
            }
        }
    }

    void onLost(int packets, long nowNs) {
        losses.onLost(packets, nowNs);
    }
}
