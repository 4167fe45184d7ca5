// SPDX-License-Identifier: Apache-2.0
package io.metaroce.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MemoryRegionTableTest {
    private static final int KEY = MemoryKey.of(7, 99);
    private static final int DOMAIN = 3;
    private static final int REGION_BYTES = 64;
    /** Bytes around the region that must never change. */
    private static final int GUARD_BYTES = 64;

    private static final byte UNTOUCHED = 0x5a;
    private static final byte FOREIGN = 0x11;

    private final MemoryRegionTable table = new MemoryRegionTable();
    private long block;
    private long region;
    private long packet;

    @BeforeEach
    void allocate() {
        block = UnsafeApi.allocateMemory(REGION_BYTES + 2 * GUARD_BYTES);
        region = block + GUARD_BYTES;
        packet = UnsafeApi.allocateMemory(REGION_BYTES);
        UnsafeApi.setMemory(block, REGION_BYTES + 2 * GUARD_BYTES, UNTOUCHED);
        UnsafeApi.setMemory(packet, REGION_BYTES, FOREIGN);
    }

    @AfterEach
    void free() {
        UnsafeApi.freeMemory(block);
        UnsafeApi.freeMemory(packet);
    }

    @Test
    void guardsB41LocalOnlyMemoryIsClosedToThePeer() {
        table.install(KEY, region, REGION_BYTES, AccessFlags.LOCAL_WRITE, DOMAIN);

        assertThat(table.copyIn(KEY, DOMAIN, region, packet, 8, AccessFlags.REMOTE_WRITE))
                .isEqualTo(MemoryCheck.PERMISSION);
        assertThat(table.check(KEY, DOMAIN, region, 8, AccessFlags.REMOTE_READ)).isEqualTo(MemoryCheck.PERMISSION);
        assertThat(table.check(KEY, DOMAIN, region, 8, AccessFlags.REMOTE_ATOMIC))
                .isEqualTo(MemoryCheck.PERMISSION);
        assertThat(changedBytes()).isZero();
        assertThat(table.copyIn(KEY, DOMAIN, region, packet, 8, AccessFlags.LOCAL_WRITE))
                .isEqualTo(MemoryCheck.OK);
        assertThat(changedBytes()).isEqualTo(8);
    }

    @Test
    void guardsB43ARefusedRangeMovesNotOneByte() {
        // MOP-STR-5, MOP-SEC-4
        table.install(KEY, region, REGION_BYTES, AccessFlags.ALL, DOMAIN);

        assertThat(copyIn(KEY, region + REGION_BYTES - 7, 8)).isEqualTo(MemoryCheck.RANGE);
        assertThat(copyIn(KEY, region - 1, 8)).isEqualTo(MemoryCheck.RANGE);
        assertThat(copyIn(KEY, -4, 8)).isEqualTo(MemoryCheck.RANGE);
        assertThat(copyIn(KEY, region, -1)).isEqualTo(MemoryCheck.RANGE);
        assertThat(copyIn(KEY, region, Integer.MIN_VALUE)).isEqualTo(MemoryCheck.RANGE);
        assertThat(copyIn(KEY, region + 1, Integer.MAX_VALUE)).isEqualTo(MemoryCheck.RANGE);
        assertThat(copyIn(KEY + 1, region, 8)).isEqualTo(MemoryCheck.UNKNOWN_KEY);
        assertThat(copyIn(0, region, 8)).isEqualTo(MemoryCheck.UNKNOWN_KEY);
        assertThat(table.copyIn(KEY, DOMAIN + 1, region, packet, 8, AccessFlags.REMOTE_WRITE))
                .isEqualTo(MemoryCheck.DOMAIN);
        assertThat(changedBytes()).isZero();
    }

    @Test
    void guardsB43TheWholeRegionAndItsVeryEndAreAllowed() {
        table.install(KEY, region, REGION_BYTES, AccessFlags.ALL, DOMAIN);

        assertThat(copyIn(KEY, region, REGION_BYTES)).isEqualTo(MemoryCheck.OK);
        assertThat(changedBytes()).isEqualTo(REGION_BYTES);
        assertThat(copyIn(KEY, region + REGION_BYTES, 0)).isEqualTo(MemoryCheck.OK);
    }

    @Test
    void guardsB46ZeroBytesNeedNoKeyAndTouchNothing() {
        // MOP-STR-8
        assertThat(copyIn(0, 0, 0)).isEqualTo(MemoryCheck.OK);
        assertThat(table.copyOut(12345, DOMAIN, -1, 0, 0, 0)).isEqualTo(MemoryCheck.OK);
        assertThat(changedBytes()).isZero();
    }

    @Test
    void aRemovedKeyAndAnOlderTagOfItsIndexAreUnknown() {
        // MOP-SEC-3
        int successor = MemoryKey.of(MemoryKey.index(KEY), 100);
        table.install(KEY, region, REGION_BYTES, AccessFlags.ALL, DOMAIN);
        assertThat(table.remove(successor)).isFalse();
        assertThat(table.remove(KEY)).isTrue();
        assertThat(copyIn(KEY, region, 8)).isEqualTo(MemoryCheck.UNKNOWN_KEY);

        table.install(successor, region, REGION_BYTES, AccessFlags.ALL, DOMAIN);

        assertThat(copyIn(KEY, region, 8)).isEqualTo(MemoryCheck.UNKNOWN_KEY);
        assertThat(table.remove(KEY)).isFalse();
        assertThat(copyIn(successor, region, 8)).isEqualTo(MemoryCheck.OK);
    }

    @Test
    void aNumberThatIsNoKeyIsNeverInstalled() {
        assertThat(table.install(0, region, REGION_BYTES, AccessFlags.ALL, DOMAIN))
                .isFalse();
        assertThat(table.install(MemoryKey.INDEX_COUNT - 1, region, REGION_BYTES, AccessFlags.ALL, DOMAIN))
                .isFalse();
        assertThat(table.count()).isZero();
        assertThat(table.remove(0)).isFalse();
    }

    @Test
    void copyOutTakesWhatCopyInBrought() {
        table.install(KEY, region, REGION_BYTES, AccessFlags.ALL, DOMAIN);
        copyIn(KEY, region + 3, 9);
        UnsafeApi.setMemory(packet, REGION_BYTES, (byte) 0);

        assertThat(table.copyOut(KEY, DOMAIN, region + 2, packet, 11, 0)).isEqualTo(MemoryCheck.OK);

        assertThat(UnsafeApi.getByte(packet)).isEqualTo(UNTOUCHED);
        assertThat(UnsafeApi.getByte(packet + 1)).isEqualTo(FOREIGN);
        assertThat(UnsafeApi.getByte(packet + 9)).isEqualTo(FOREIGN);
        assertThat(UnsafeApi.getByte(packet + 10)).isEqualTo(UNTOUCHED);
    }

    private MemoryCheck copyIn(int key, long address, int length) {
        return table.copyIn(key, DOMAIN, address, packet, length, AccessFlags.REMOTE_WRITE);
    }

    private int changedBytes() {
        int changed = 0;
        for (int i = 0; i < REGION_BYTES + 2 * GUARD_BYTES; i++) {
            changed += UnsafeApi.getByte(block + i) == UNTOUCHED ? 0 : 1;
        }
        return changed;
    }
}
