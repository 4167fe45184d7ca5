// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wrap;

import io.metaroce.port.PacketBurst;
import io.metaroce.port.PacketPort;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Faults on the way out. Every packet is judged once, when it is accepted from the lane; what survives is staged and given to
 * the wrapped port, which may be busy: then nothing more is accepted until the stage is empty. Reordered and late packets
 * go back to being buffers of the wrapped port when their time comes.
 */
final class TransmitFaults {
    /** Turns without a packet after which nothing is held back any longer. */
    static final int IDLE_TURNS = 4;

    private final PacketPort wrapped;
    private final FaultJudge judge;
    private final PacketStore store;
    private final PacketStore receivedStore;
    private final HoldLine line;
    private final PacketBurst staged = new PacketBurst(PacketBurst.CAPACITY_MAX);
    private final PacketBurst dropped = new PacketBurst(PacketBurst.CAPACITY_MAX);
    private final PacketBurst fresh = new PacketBurst(1);
    private final PacketBurst forwarded = new PacketBurst(1);
    private final UnsafeBuffer packet = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer copy = new UnsafeBuffer(0, 0);
    private int due = PacketStore.NONE;
    private int idleTurns;

    /**
     * @param receivedStore of the other direction: a packet lent to the lane from there may be transmitted as it is
     */
    TransmitFaults(PacketPort wrapped, FaultJudge judge, PacketStore store, PacketStore receivedStore) {
        this.wrapped = wrapped;
        this.judge = judge;
        this.store = store;
        this.receivedStore = receivedStore;
        this.line = new HoldLine(store.slots());
    }

    int transmit(PacketBurst burst, long nowNs) {
        judge.onTurn(nowNs);
        if (!judge.isTouched() && isEmpty() && receivedStore.used() == 0) {
            return wrapped.transmit(burst);
        }
        idleTurns = 0;
        flush();
        if (!staged.isEmpty()) {
            return 0;
        }
        stageDue(nowNs);
        int accepted = 0;
        while (accepted < burst.size() && canStageTwo() && accept(burst, accepted, nowNs)) {
            accepted++;
            stageDue(nowNs);
        }
        wrapped.release(dropped);
        flush();
        return accepted;
    }

    /** A turn of the lane in which nothing was sent, perhaps: moves on what waits, and holds nothing for ever. */
    void onTurn(long nowNs) {
        if (isEmpty()) {
            return;
        }
        judge.onTurn(nowNs);
        if (++idleTurns > IDLE_TURNS) {
            line.onIdle();
        }
        flush();
        stageDue(nowNs);
        flush();
    }

    private boolean isEmpty() {
        return staged.isEmpty() && line.isEmpty() && due == PacketStore.NONE;
    }

    /** Gives every buffer of the wrapped port back; held packets are forgotten. */
    void close() {
        wrapped.release(staged);
        wrapped.release(dropped);
    }

    private boolean canStageTwo() {
        return staged.size() + 2 <= staged.capacity() && dropped.size() < dropped.capacity();
    }

    /** Takes one packet from the lane; false if the wrapped port has no buffer for one that was lent from our store. */
    private boolean accept(PacketBurst burst, int i, long nowNs) {
        if (PacketStore.isOurs(burst.handle(i))) {
            return acceptLent(burst, i, nowNs);
        }
        burst.frame(i, packet);
        int fate = judge.isTouched() ? judge.judge(packet) : 0;
        if ((fate & FaultJudge.DROP) != 0) {
            drop(burst, i);
            return true;
        }
        if ((fate & FaultJudge.CORRUPT) != 0) {
            judge.corrupt(packet);
        }
        line.onPassed();
        if ((fate & FaultJudge.DUPLICATE) != 0) {
            duplicate(burst, i);
        }
        if ((fate & (FaultJudge.REORDER | FaultJudge.DELAY)) != 0 && hold(burst, i, fate, nowNs)) {
            drop(burst, i);
        } else {
            stage(burst, i);
        }
        return true;
    }

    /** A packet lent from the store of received ones moves to a buffer of the wrapped port first. */
    private boolean acceptLent(PacketBurst burst, int i, long nowNs) {
        if (wrapped.allocate(forwarded, 1) == 0) {
            return false;
        }
        receivedStore.moveTo(PacketStore.slotOf(burst.handle(i)), forwarded, 0);
        describe(forwarded, 0, burst, i);
        boolean isAccepted = accept(forwarded, 0, nowNs);
        forwarded.size(0);
        return isAccepted;
    }

    private void duplicate(PacketBurst burst, int i) {
        if (wrapped.allocate(fresh, 1) == 0) {
            judge.count(FaultCounter.STORE_FULL);
            return;
        }
        copy.wrap(fresh.data(0), burst.length(i));
        copy.putBytes(0, packet, 0, burst.length(i));
        describe(fresh, 0, burst, i);
        stage(fresh, 0);
        fresh.size(0);
        judge.count(FaultCounter.DUPLICATED);
    }

    private boolean hold(PacketBurst burst, int i, int fate, long nowNs) {
        boolean isReordered = (fate & FaultJudge.REORDER) != 0;
        int slot = isReordered && !line.canReorder() ? PacketStore.NONE : store.put(burst, i);
        if (slot == PacketStore.NONE) {
            judge.count(FaultCounter.STORE_FULL);
            return false;
        }
        if (isReordered) {
            line.reorder(slot, judge.reorderDepth());
            judge.count(FaultCounter.REORDERED);
        } else {
            line.delay(slot, nowNs + judge.delayNs());
        }
        if ((fate & FaultJudge.DELAY) != 0) {
            judge.count(FaultCounter.DELAYED);
        }
        return true;
    }

    private void stageDue(long nowNs) {
        while (canStageTwo()) {
            if (due == PacketStore.NONE) {
                due = line.pollDue(nowNs, judge.delayNs());
            }
            if (due == PacketStore.NONE || wrapped.allocate(fresh, 1) == 0) {
                return;
            }
            store.moveTo(due, fresh, 0);
            due = PacketStore.NONE;
            stage(fresh, 0);
            fresh.size(0);
        }
    }

    private void stage(PacketBurst from, int i) {
        int at = staged.size();
        staged.copyDescriptor(at, from, i);
        staged.size(at + 1);
    }

    private void drop(PacketBurst from, int i) {
        int at = dropped.size();
        dropped.copyDescriptor(at, from, i);
        dropped.size(at + 1);
    }

    private void flush() {
        if (!staged.isEmpty()) {
            staged.discardFirst(wrapped.transmit(staged));
        }
    }

    /** Copies everything of a descriptor but the buffer it stands for. */
    private static void describe(PacketBurst to, int at, PacketBurst from, int i) {
        to.length(at, from.length(i));
        to.flags(at, from.flags(i));
        to.address(at, from.addressHigh(i), from.addressLow(i));
        to.remotePort(at, from.remotePort(i));
        to.localPort(at, from.localPort(i));
        to.scope(at, from.scope(i));
    }
}
