// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.recovery;

/**
 * Contents that left a dead path, or were copied from a stuck one, and wait for another: a ring of content names. They keep
 * their connection sequence, which is how the peer tells a content it already has.
 */
public final class MovedPackets {
    private final int[] connectionSequences;
    private final int[] contents;
    private final int[] contentIndices;
    private final int mask;
    private int head;
    private int tail;

    /**
     * @param capacity a power of two, at least all that paths can have in flight together
     */
    public MovedPackets(int capacity) {
        assert Integer.bitCount(capacity) == 1;
        connectionSequences = new int[capacity];
        contents = new int[capacity];
        contentIndices = new int[capacity];
        mask = capacity - 1;
    }

    public boolean isEmpty() {
        return head == tail;
    }

    /** Adds a content; returns false if the ring is full, in which case the content must stay where it is. */
    public boolean add(int connectionSequence, int content, int contentIndex) {
        if (tail - head > mask) {
            return false;
        }
        int slot = tail & mask;
        connectionSequences[slot] = connectionSequence;
        contents[slot] = content;
        contentIndices[slot] = contentIndex;
        tail++;
        return true;
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
