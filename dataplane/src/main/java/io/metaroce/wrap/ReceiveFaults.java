// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wrap;

import io.metaroce.port.PacketBurst;
import io.metaroce.port.PacketPort;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Faults on the way in. A received burst is judged in place; survivors keep their order, and behind them come, as copies lent
 * from the store, duplicates and packets whose time has come. A reordered packet is passed by at least as many later ones as
 * the plan says, perhaps by a burst more.
 */
final class ReceiveFaults {
    private final PacketPort wrapped;
    private final FaultJudge judge;
    private final PacketStore store;
    private final HoldLine line;
    private final PacketBurst dropped = new PacketBurst(PacketBurst.CAPACITY_MAX);
    private final UnsafeBuffer packet = new UnsafeBuffer(0, 0);
    private int idleTurns;

    ReceiveFaults(PacketPort wrapped, FaultJudge judge, PacketStore store) {
        this.wrapped = wrapped;
        this.judge = judge;
        this.store = store;
        this.line = new HoldLine(store.slots());
    }

    int receive(PacketBurst burst, long nowNs) {
        judge.onTurn(nowNs);
        int received = wrapped.receive(burst);
        if (!judge.isTouched() && line.isEmpty()) {
            return received;
        }
        idleTurns = received == 0 ? idleTurns + 1 : 0;
        if (idleTurns > TransmitFaults.IDLE_TURNS) {
            line.onIdle();
        }
        int kept = 0;
        for (int i = 0; i < received; i++) {
            if (survives(burst, i, nowNs)) {
                if (kept != i) {
                    burst.copyDescriptor(kept, burst, i);
                }
                kept++;
            } else {
                dropped.copyDescriptor(dropped.size(), burst, i);
                dropped.size(dropped.size() + 1);
            }
        }
        wrapped.release(dropped);
        return appendDue(burst, kept, nowNs);
    }

    private boolean survives(PacketBurst burst, int i, long nowNs) {
        burst.frame(i, packet);
        int fate = judge.isTouched() ? judge.judge(packet) : 0;
        if ((fate & FaultJudge.DROP) != 0) {
            return false;
        }
        if ((fate & FaultJudge.CORRUPT) != 0) {
            judge.corrupt(packet);
        }
        line.onPassed();
        if ((fate & FaultJudge.DUPLICATE) != 0 && wait(burst, i, nowNs)) {
            judge.count(FaultCounter.DUPLICATED);
        }
        if ((fate & FaultJudge.REORDER) != 0) {
            return !reorder(burst, i, fate);
        }
        if ((fate & FaultJudge.DELAY) != 0 && wait(burst, i, nowNs)) {
            judge.count(FaultCounter.DELAYED);
            return false;
        }
        return true;
    }

    private boolean reorder(PacketBurst burst, int i, int fate) {
        int slot = line.canReorder() ? store.put(burst, i) : PacketStore.NONE;
        if (slot == PacketStore.NONE) {
            judge.count(FaultCounter.STORE_FULL);
            return false;
        }
        line.reorder(slot, judge.reorderDepth());
        judge.count(FaultCounter.REORDERED);
        if ((fate & FaultJudge.DELAY) != 0) {
            judge.count(FaultCounter.DELAYED);
        }
        return true;
    }

    private boolean wait(PacketBurst burst, int i, long nowNs) {
        int slot = store.put(burst, i);
        if (slot == PacketStore.NONE) {
            judge.count(FaultCounter.STORE_FULL);
            return false;
        }
        line.delay(slot, nowNs + judge.delayNs());
        return true;
    }

    private int appendDue(PacketBurst burst, int kept, long nowNs) {
        int size = kept;
        while (size < burst.capacity()) {
            int slot = line.pollDue(nowNs, judge.delayNs());
            if (slot == PacketStore.NONE) {
                break;
            }
            store.lend(slot, burst, size++);
        }
        burst.size(size);
        return size;
    }

    /** Takes back what was lent, and gives the rest to the wrapped port. */
    void release(PacketBurst burst) {
        int others = 0;
        for (int i = 0; i < burst.size(); i++) {
            if (PacketStore.isOurs(burst.handle(i))) {
                store.free(PacketStore.slotOf(burst.handle(i)));
            } else {
                if (others != i) {
                    burst.copyDescriptor(others, burst, i);
                }
                others++;
            }
        }
        burst.size(others);
        wrapped.release(burst);
    }
}
