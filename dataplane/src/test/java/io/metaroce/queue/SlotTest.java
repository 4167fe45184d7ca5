// SPDX-License-Identifier: Apache-2.0
package io.metaroce.queue;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** Every field keeps its value when all others are written around it. */
class SlotTest {
    private static final long LENGTH_MAX = 0xffff_ffffL;

    @Property(tries = 200)
    void aSendRequestReadsAsWritten(
            @ForAll long id,
            @ForAll long localAddress,
            @ForAll long remoteAddress,
            @ForAll @LongRange(max = LENGTH_MAX) long length,
            @ForAll int word,
            @ForAll WorkRequestOpcode opcode,
            @ForAll @IntRange(max = 255) int flags) {
        try (RingMemory memory = new RingMemory(1)) {
            WorkRequestSlot slot = new WorkRequestSlot();
            memory.view().claim(slot);
            slot.flags(flags);
            slot.opcode(opcode);
            slot.immediate(word);
            slot.remote(word + 1, remoteAddress);
            slot.local(word + 2, localAddress, length);
            slot.id(id);

            assertThat(slot.id()).isEqualTo(id);
            assertThat(slot.localAddress()).isEqualTo(localAddress);
            assertThat(slot.remoteAddress()).isEqualTo(remoteAddress);
            assertThat(slot.length()).isEqualTo(length);
            assertThat(slot.immediate()).isEqualTo(word);
            assertThat(slot.rkey()).isEqualTo(word + 1);
            assertThat(slot.lkey()).isEqualTo(word + 2);
            assertThat(WorkRequestOpcode.of(slot.opcode())).isEqualTo(opcode);
            assertThat(slot.flags()).isEqualTo(flags);
            assertThat(memory.guardIsIntact()).isTrue();
        }
    }

    @Property(tries = 200)
    void aReceiveRequestReadsAsWritten(
            @ForAll long id, @ForAll long address, @ForAll @LongRange(max = LENGTH_MAX) long length, @ForAll int lkey) {
        try (RingMemory memory = new RingMemory(1)) {
            ReceiveSlot slot = new ReceiveSlot();
            memory.view().claim(slot);
            slot.local(lkey, address, length);
            slot.id(id);

            assertThat(slot.id()).isEqualTo(id);
            assertThat(slot.localAddress()).isEqualTo(address);
            assertThat(slot.length()).isEqualTo(length);
            assertThat(slot.lkey()).isEqualTo(lkey);
        }
    }

    @Property(tries = 200)
    void aCompletionReadsAsWritten(
            @ForAll long id,
            @ForAll @LongRange(max = LENGTH_MAX) long length,
            @ForAll int word,
            @ForAll CompletionStatus status,
            @ForAll CompletionOpcode opcode,
            @ForAll @IntRange(max = 255) int flags) {
        try (RingMemory memory = new RingMemory(1)) {
            CompletionSlot slot = new CompletionSlot();
            memory.view().claim(slot);
            slot.flags(flags);
            slot.opcode(opcode);
            slot.status(status);
            slot.immediate(word);
            slot.queuePairNumber(~word);
            slot.length(length);
            slot.id(id);

            assertThat(slot.id()).isEqualTo(id);
            assertThat(slot.length()).isEqualTo(length);
            assertThat(slot.queuePairNumber()).isEqualTo(~word);
            assertThat(slot.immediate()).isEqualTo(word);
            assertThat(slot.status()).isEqualTo(status);
            assertThat(slot.opcode()).isEqualTo(opcode);
            assertThat(slot.flags()).isEqualTo(flags);
        }
    }

    @Property
    void anUnknownCodeIsNoOpcodeAndAGeneralError(@ForAll @IntRange(min = 22, max = 255) int code) {
        assertThat(WorkRequestOpcode.of(code)).isNull();
        assertThat(CompletionStatus.of(code)).isEqualTo(CompletionStatus.GENERAL_ERROR);
    }
}
