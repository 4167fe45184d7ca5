// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

import java.util.Arrays;

/**
 * The pending events: a 4-ary heap over primitive arrays with one entry at most for each source, so that a source can move
 * its event. Taking leaves a hole at the root, which the next schedule fills: the usual "handle, then ask again" costs one
 * sift.
 *
 * <p>Events of equal time come in an order that depends on nothing but the calls made.
 */
final class EventHeap {
    static final long NEVER = Long.MAX_VALUE;
    private static final int ABSENT = -1;
    private static final long HOLE = Long.MIN_VALUE;

    private long[] times = new long[64];
    private int[] ids = new int[64];
    private int[] positions = new int[64];
    private int size;
    private int sources;
    private boolean hasHole;

    /** A number for a new source, from 0 upwards. */
    int register() {
        if (sources == positions.length) {
            positions = Arrays.copyOf(positions, sources * 2);
            times = Arrays.copyOf(times, sources * 2);
            ids = Arrays.copyOf(ids, sources * 2);
        }
        positions[sources] = ABSENT;
        return sources++;
    }

    /** When the next event is due; {@link #NEVER} if none is pending. */
    long nextPs() {
        fillHole();
        return size == 0 ? NEVER : times[0];
    }

    /** Takes the next event; returns its source. Only if there is one. */
    int take() {
        fillHole();
        int id = ids[0];
        positions[id] = ABSENT;
        times[0] = HOLE;
        hasHole = true;
        return id;
    }

    /** Gives a source its event, or moves the one it has; {@link #NEVER} takes it away. */
    void schedule(int id, long timePs) {
        int position = positions[id];
        if (timePs == NEVER) {
            remove(position);
        } else if (position == ABSENT) {
            if (hasHole) {
                hasHole = false;
                siftDown(0, id, timePs);
            } else {
                siftUp(size++, id, timePs);
            }
        } else if (timePs < times[position]) {
            siftUp(position, id, timePs);
        } else if (timePs > times[position]) {
            siftDown(position, id, timePs);
        }
    }

    /** When a source's event is due; {@link #NEVER} if it has none. */
    long timeOf(int id) {
        return positions[id] == ABSENT ? NEVER : times[positions[id]];
    }

    private void remove(int position) {
        if (position == ABSENT) {
            return;
        }
        positions[ids[position]] = ABSENT;
        size--;
        if (position == size) {
            return;
        }
        int id = ids[size];
        long timePs = times[size];
        if (position > 0 && timePs < times[(position - 1) >> 2]) {
            siftUp(position, id, timePs);
        } else {
            siftDown(position, id, timePs);
        }
    }

    private void fillHole() {
        if (hasHole) {
            hasHole = false;
            size--;
            if (size > 0) {
                siftDown(0, ids[size], times[size]);
            }
        }
    }

    private void siftUp(int from, int id, long timePs) {
        int position = from;
        while (position > 0) {
            int parent = (position - 1) >> 2;
            if (times[parent] <= timePs) {
                break;
            }
            place(position, ids[parent], times[parent]);
            position = parent;
        }
        place(position, id, timePs);
    }

    private void siftDown(int from, int id, long timePs) {
        int position = from;
        while (true) {
            int child = (position << 2) + 1;
            if (child >= size) {
                break;
            }
            int last = Math.min(child + 3, size - 1);
            int least = child;
            for (int i = child + 1; i <= last; i++) {
                if (times[i] < times[least]) {
                    least = i;
                }
            }
            if (times[least] >= timePs) {
                break;
            }
            place(position, ids[least], times[least]);
            position = least;
        }
        place(position, id, timePs);
    }

    private void place(int position, int id, long timePs) {
        times[position] = timePs;
        ids[position] = id;
        positions[id] = position;
    }
}
