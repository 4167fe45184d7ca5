// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.memory.AccessFlags;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

class VerbsObjectsTest {
    private final LaneStandIn device = new LaneStandIn();
    private final Context context = Context.open(device);

    @Test
    void guardsB108TheLimitIsNamedAndNothingLeaksOverTenCycles() {
        ProtectionDomain domain = context.allocateProtectionDomain();
        CompletionQueue queue = context.createCompletionQueue(64);
        QueuePairSettings settings = new QueuePairSettings(queue, queue, 4, 4);
        Deque<QueuePair> open = new ArrayDeque<>();
        int limit = device.limits().queuePairsMax();
        for (int i = 0; i < limit; i++) {
            open.add(domain.createQueuePair(settings));
        }
        long bytes = device.queueBytes();
        for (int cycle = 0; cycle < 10; cycle++) {
            assertThatThrownBy(() -> domain.createQueuePair(settings))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining(limit + " of " + limit);
            open.remove().close();
            open.add(domain.createQueuePair(settings));
            assertThat(device.queueBytes()).isEqualTo(bytes);
        }
        open.forEach(QueuePair::close);
        queue.close();
        domain.close();
        context.close();
        assertThat(device.queueBytes()).isZero();
    }

    @Test
    void whatIsInUseCannotBeClosedUnderItsUsers() {
        ProtectionDomain domain = context.allocateProtectionDomain();
        CompletionQueue queue = context.createCompletionQueue(8);
        QueuePair queuePair = domain.createQueuePair(new QueuePairSettings(queue, queue, 1, 1));

        assertThatThrownBy(queue::close).isInstanceOf(VerbsException.class).hasMessageContaining("2 open objects");
        assertThatThrownBy(domain::close).isInstanceOf(VerbsException.class).hasMessageContaining("1 open object");
        assertThatThrownBy(context::close).isInstanceOf(VerbsException.class);

        queuePair.close();
        queuePair.close();
        queue.close();
        domain.close();
        context.close();
    }

    @Test
    void remoteWriteNeedsLocalWriteAndUnknownRightsDoNotExist() {
        ProtectionDomain domain = context.allocateProtectionDomain();

        assertThatThrownBy(() -> domain.registerMemory(4096, 8, AccessFlags.REMOTE_WRITE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("local write");
        assertThatThrownBy(() -> domain.registerMemory(4096, 8, 16)).isInstanceOf(IllegalArgumentException.class);
        assertThat(device.registrations()).isZero();
    }

    @Test
    void guardsB43AnEmptyOrWrappingRangeIsNoRegion() {
        ProtectionDomain domain = context.allocateProtectionDomain();

        for (long length : new long[] {0, -1, Long.MIN_VALUE, 4097}) {
            assertThatThrownBy(() -> domain.registerMemory(-4096, length, AccessFlags.LOCAL_WRITE))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(device.registrations()).isZero();
        domain.registerMemory(-4096, 4096, AccessFlags.LOCAL_WRITE).close();
    }

    @Test
    void aBufferIsPageAlignedZeroedAndClosedOnce() {
        ProtectionDomain domain = context.allocateProtectionDomain();
        RegisteredBuffer buffer = RegisteredBuffer.allocate(domain, 100, AccessFlags.LOCAL_WRITE);

        assertThat(buffer.address() % 4096).isZero();
        assertThat(buffer.length()).isEqualTo(100);
        assertThat(buffer.lkey()).isEqualTo(buffer.rkey()).isNotZero();

        buffer.close();
        buffer.close();
        assertThat(device.registrations()).isZero();
        domain.close();
    }

    @Test
    void aQueuePairMovesOneStepAtATimeAndFailsOrResetsAtAnyTime() {
        assertThat(QueuePairState.INIT.canBecome(QueuePairState.READY_TO_RECEIVE))
                .isTrue();
        assertThat(QueuePairState.INIT.canBecome(QueuePairState.READY_TO_SEND)).isFalse();
        assertThat(QueuePairState.READY_TO_SEND.canBecome(QueuePairState.READY_TO_RECEIVE))
                .isFalse();
        assertThat(QueuePairState.RESET.canBecome(QueuePairState.ERROR)).isFalse();
        for (QueuePairState state : QueuePairState.values()) {
            assertThat(state.canBecome(QueuePairState.RESET)).isTrue();
        }
        assertThat(QueuePairState.INIT.canBecome(QueuePairState.ERROR)).isTrue();
        assertThat(QueuePairState.ERROR.canBecome(QueuePairState.ERROR)).isTrue();
    }

    @Test
    void sendsAndReceivesCanBePostedOnlyWhenTheStatePermits() {
        ProtectionDomain domain = context.allocateProtectionDomain();
        CompletionQueue queue = context.createCompletionQueue(8);
        QueuePair queuePair = domain.createQueuePair(new QueuePairSettings(queue, queue, 2, 2));

        assertThat(queuePair.canPostReceive()).isTrue();
        assertThat(queuePair.canPostSend()).isFalse();
        queuePair.modify(QueuePairState.READY_TO_RECEIVE);
        assertThat(queuePair.canPostSend()).isFalse();
        queuePair.modify(QueuePairState.READY_TO_SEND);
        assertThat(queuePair.canPostSend()).isTrue();
        assertThatThrownBy(() -> queuePair.modify(QueuePairState.INIT)).isInstanceOf(IllegalStateException.class);
        queuePair.close();
        assertThat(queuePair.canPostReceive()).isFalse();
    }

    @Test
    void aDepthIsRoundedUpAndBounded() {
        assertThat(context.createCompletionQueue(1).capacity()).isEqualTo(1);
        assertThat(context.createCompletionQueue(5).capacity()).isEqualTo(8);
        assertThat(context.createCompletionQueue(1024).capacity()).isEqualTo(1024);
        assertThatThrownBy(() -> context.createCompletionQueue(1025))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("1 to 1024");
        assertThatThrownBy(() -> context.createCompletionQueue(0)).isInstanceOf(VerbsException.class);
    }
}
