// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.path;

/**
 * What each plane was given to carry, so that planes are loaded equally, or in proportion to the rates that the receiver
 * allots on them once it has told one for each (MOP-PATH-26). A plane that could not take its share for a while gets at
 * most {@value #LAG_MAX} bytes of it later.
 */
public final class PlaneLoads {
    /** Bytes of a lag that are made up for. */
    public static final long LAG_MAX = 1 << 16;

    private static final long REBASE_AT = 1L << 40;

    private final long[] loadBytes;
    private final long[] rates;
    /** Load of the plane chosen last, as it was then: how far the turns have come. */
    private long turnBytes;

    public PlaneLoads(int planes) {
        loadBytes = new long[planes];
        rates = new long[planes];
    }

    /** The receiver's rate for us on a plane, in any unit; 0 if it tells none any more. */
    public void onRate(int plane, long rate) {
        rates[plane] = Math.max(0, rate);
    }

    /** So many bytes were put on the plane. */
    public void onSent(int plane, int bytes) {
        long best = Long.MIN_VALUE;
        boolean areRatesKnown = true;
        for (long rate : rates) {
            best = Math.max(best, rate);
            areRatesKnown &= rate > 0;
        }
        loadBytes[plane] += areRatesKnown ? bytes * best / rates[plane] : bytes;
        if (loadBytes[plane] > REBASE_AT) {
            rebase();
        }
    }

    /**
     * The plane whose turn it is.
     *
     * @param eligible mask of the planes that can take a packet now, not 0
     */
    public int next(int eligible) {
        int next = -1;
        for (int plane = 0; plane < loadBytes.length; plane++) {
            if ((eligible & 1 << plane) == 0) {
                continue;
            }
            loadBytes[plane] = Math.max(loadBytes[plane], turnBytes - LAG_MAX);
            if (next < 0 || loadBytes[plane] < loadBytes[next]) {
                next = plane;
            }
        }
        if (next >= 0) {
            turnBytes = loadBytes[next];
        }
        return next;
    }

    private void rebase() {
        turnBytes -= REBASE_AT;
        for (int plane = 0; plane < loadBytes.length; plane++) {
            loadBytes[plane] -= REBASE_AT;
        }
    }
}
