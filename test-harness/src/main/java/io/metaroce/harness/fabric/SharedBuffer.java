// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

/**
 * A switch's buffer that its ports share by dynamic thresholds (Choudhury and Hahne, 1998): a queue may grow to alpha times
 * what is still free.
 */
final class SharedBuffer {
    private final long totalBytes;
    private final double alpha;
    private long usedBytes;

    SharedBuffer(long totalBytes, double alpha) {
        this.totalBytes = totalBytes;
        this.alpha = alpha;
    }

    boolean admits(long queuedBytes, int bytes) {
        long freeBytes = totalBytes - usedBytes;
        return bytes <= freeBytes && queuedBytes + bytes <= alpha * freeBytes;
    }

    void take(int bytes) {
        usedBytes += bytes;
    }

    void giveBack(int bytes) {
        usedBytes -= bytes;
    }

    long usedBytes() {
        return usedBytes;
    }
}
