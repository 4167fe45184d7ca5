// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.recovery;

/**
 * The sender's side of the connection sequence: numbers are handed out in order and come back delivered in any order, once
 * or, after a move between paths, twice. At most {@code window} lie between the oldest undelivered number and the next.
 */
public final class ConnectionSequences {
    private final SequenceWindow delivered;
    private final int window;
    private int next;
    private int peerNext;

    /**
     * @param window negotiated, a power of two
     */
    public ConnectionSequences(int window) {
        this.delivered = new SequenceWindow(window);
        this.window = window;
    }

    /** The next number to hand out. */
    public int next() {
        return next;
    }

    /** The oldest number not known delivered. */
    public int oldest() {
        return delivered.next();
    }

    /** Whether a number may be handed out: within the peer's window and within ours. */
    public boolean hasRoom() {
        // MOP-SEQ-6
        return next - peerNext < window && next - delivered.next() < window;
    }

    /** Hands a number out; only when there {@link #hasRoom}. */
    public int assign() {
        assert hasRoom();
        // MOP-SEQ-4
        return next++;
    }

    /** Records a delivery; returns whether it was the first. */
    public boolean onDelivered(int sequence) {
        if (delivered.classify(sequence) != SequenceWindow.Verdict.NEW) {
            return false;
        }
        delivered.mark(sequence);
        return true;
    }

    public boolean isDelivered(int sequence) {
        return delivered.classify(sequence) == SequenceWindow.Verdict.DUPLICATE;
    }

    /** Whether the peer can expect this number next: not more than was handed out. */
    public boolean isPlausible(int peerNextSequence) {
        return next - peerNextSequence >= 0;
    }

    /** Takes the peer's next expected number, which {@link #isPlausible}: serial maximum. */
    public void onPeerNext(int sequence) {
        if (sequence - peerNext > 0) {
            peerNext = sequence;
        }
    }

    /** Whether the peer has said, by its next expected number, that it has this one (MOP-SEQ-7). */
    public boolean isKnownByPeer(int sequence) {
        return peerNext - sequence > 0;
    }
}
