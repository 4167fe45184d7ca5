// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.recovery;

/**
 * Contents that left a dead path, or were copied from a stuck one, and wait for another: a ring of content names. They keep
 * their connection sequence, which is how the peer tells a content it already has.
 */
public final class MovedPackets {
    /** Contents there is first place for; doubled, up to the capacity, when more wait than ever before. */
    private static final int FIRST_CAPACITY = 16;

    private static final int[] NONE = {};

    private final int capacity;
    private int[] connectionSequences = NONE;
    private int[] contents = NONE;
    private int[] contentIndices = NONE;
    private int mask = -1;
    private int head;
    private int tail;

    /**
     * @param capacity a power of two, at least all that paths can have in flight together
     */
    public MovedPackets(int capacity) {
        assert Integer.bitCount(capacity) == 1;
        this.capacity = capacity;
    }

    public boolean isEmpty() {
        return head == tail;
    }

    /** Adds a content; returns false if the ring is full, in which case the content must stay where it is. */
    public boolean add(int connectionSequence, int content, int contentIndex) {
        if (tail - head == capacity) {
            return false;
        }
        if (tail - head > mask) {
            grow();
        }
        int slot = tail & mask;
        connectionSequences[slot] = connectionSequence;
        contents[slot] = content;
        contentIndices[slot] = contentIndex;
        tail++;
        return true;
    }

    /** Makes twice the room: few connections ever lose a path, and none should hold room for it before. */
    private void grow() {
        int wider = Math.min(capacity, Math.max(FIRST_CAPACITY, 2 * contents.length));
        connectionSequences = widened(connectionSequences, wider);
        contents = widened(contents, wider);
        contentIndices = widened(contentIndices, wider);
        mask = wider - 1;
    }

    private int[] widened(int[] column, int wider) {
        int[] copy = new int[wider];
        for (int i = head; i != tail; i++) {
            copy[i & (wider - 1)] = column[i & mask];
        }
        return copy;
    }

    /** Whether a connection sequence waits already. */
    public boolean contains(int connectionSequence) {
        for (int i = head; i != tail; i++) {
            if (connectionSequences[i & mask] == connectionSequence) {
                return true;
            }
        }
        return false;
    }

    /** The oldest content's connection sequence; only when not empty, as the next two. */
    public int connectionSequence() {
        return connectionSequences[head & mask];
    }

    public int content() {
        return contents[head & mask];
    }

    public int contentIndex() {
        return contentIndices[head & mask];
    }

    public void removeFirst() {
        assert !isEmpty();
        head++;
    }
}
