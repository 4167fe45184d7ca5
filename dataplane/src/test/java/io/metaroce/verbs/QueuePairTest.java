// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.metaroce.memory.AccessFlags;
import io.metaroce.queue.CompletionOpcode;
import io.metaroce.queue.CompletionStatus;
import java.lang.management.ManagementFactory;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QueuePairTest {
    private static final int DEPTH = 16;
    private static final int BUFFER_BYTES = 4096;

    private final LaneStandIn device = new LaneStandIn();
    private final Context context = Context.open(device);
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final WorkCompletion completion = new WorkCompletion();
    private final CompletionQueue sendQueue;
    private final CompletionQueue receiveQueue;
    private final QueuePair requester;
    private final QueuePair responder;
    private final RegisteredBuffer source;
    private final RegisteredBuffer target;

    QueuePairTest() {
        sendQueue = context.createCompletionQueue(DEPTH);
        receiveQueue = context.createCompletionQueue(DEPTH);
        QueuePairSettings settings = new QueuePairSettings(sendQueue, receiveQueue, DEPTH, DEPTH);
        requester = domain.createQueuePair(settings);
        responder = domain.createQueuePair(settings);
        source = RegisteredBuffer.allocate(domain, BUFFER_BYTES, AccessFlags.LOCAL_WRITE);
        target = RegisteredBuffer.allocate(domain, BUFFER_BYTES, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
    }

    @BeforeEach
    void join() {
        device.join(requester, responder);
        UnsafeApi.setMemory(source.address(), BUFFER_BYTES, (byte) 7);
    }

    @AfterEach
    void everythingIsGivenBack() {
        requester.close();
        responder.close();
        sendQueue.close();
        receiveQueue.close();
        source.close();
        target.close();
        domain.close();
        context.close();
        assertThat(device.queueBytes()).isZero();
        assertThat(device.registrations()).isZero();
    }

    @Test
    void aWriteArrivesAndCompletesOnceIfSignaled() {
        requester
                .claimSend()
                .id(1)
                .rdmaWrite(target.rkey(), target.address())
                .local(source.lkey(), source.address(), 8);
        requester.postSend();
        requester
                .claimSend()
                .id(2)
                .rdmaWrite(target.rkey(), target.address() + 8)
                .local(source.lkey(), source.address(), 8)
                .signaled();
        requester.postSend();

        assertThat(device.serve(requester, responder)).isEqualTo(2);

        assertThat(UnsafeApi.getLong(target.address() + 8)).isEqualTo(0x0707_0707_0707_0707L);
        assertThat(UnsafeApi.getLong(target.address() + 16)).isZero();
        assertThat(sendQueue.poll(completion)).isTrue();
        assertThat(completion.id()).isEqualTo(2);
        assertThat(completion.isSuccess()).isTrue();
        assertThat(completion.opcode()).isEqualTo(CompletionOpcode.RDMA_WRITE);
        assertThat(completion.length()).isEqualTo(8);
        assertThat(completion.queuePairNumber()).isEqualTo(requester.number());
        assertThat(sendQueue.poll(completion)).isFalse();
    }

    @Test
    void sendsAndWritesWithImmediateConsumeReceivesInOrder() {
        // MOP-STR-29, MOP-STR-30
        responder.claimReceive().id(10).local(target.lkey(), target.address(), 64);
        responder.postReceive();
        responder.claimReceive().id(11);
        responder.postReceive();
        requester.claimSend().sendWithImmediate(0xabcd).local(source.lkey(), source.address(), 5);
        requester.postSend();
        requester
                .claimSend()
                .rdmaWriteWithImmediate(target.rkey(), target.address() + 100, 0x1234)
                .local(source.lkey(), source.address(), 3);
        requester.postSend();

        device.serve(requester, responder);

        assertThat(receiveQueue.poll(completion)).isTrue();
        assertThat(completion.id()).isEqualTo(10);
        assertThat(completion.opcode()).isEqualTo(CompletionOpcode.RECEIVE);
        assertThat(completion.length()).isEqualTo(5);
        assertThat(completion.hasImmediate()).isTrue();
        assertThat(completion.immediate()).isEqualTo(0xabcd);
        assertThat(receiveQueue.poll(completion)).isTrue();
        assertThat(completion.id()).isEqualTo(11);
        assertThat(completion.opcode()).isEqualTo(CompletionOpcode.RECEIVE_RDMA_WITH_IMM);
        assertThat(completion.immediate()).isEqualTo(0x1234);
        assertThat(UnsafeApi.getByte(target.address() + 102)).isEqualTo((byte) 7);
    }

    @Test
    void guardsB45ABadLocalKeyCompletesWithItsErrorAndWhatFollowsIsFlushed() {
        // MOP-STR-28
        requester.claimSend().id(1).send().local(source.lkey() + 1, source.address(), 8);
        requester.postSend();
        requester.claimSend().id(2).send().local(source.lkey(), source.address(), 8);
        requester.postSend();

        device.serve(requester, responder);

        assertThat(sendQueue.poll(completion)).isTrue();
        assertThat(completion.id()).isEqualTo(1);
        assertThat(completion.status()).isEqualTo(CompletionStatus.LOCAL_PROTECTION_ERROR);
        assertThat(sendQueue.poll(completion)).isTrue();
        assertThat(completion.id()).isEqualTo(2);
        assertThat(completion.status()).isEqualTo(CompletionStatus.FLUSHED);
        assertThat(requester.state()).isEqualTo(QueuePairState.ERROR);
        assertThat(requester.canPostSend()).isTrue();
    }

    @Test
    void guardsB46ZeroBytesWithKeyZeroAreOneCompletionOfLengthZero() {
        responder.claimReceive().id(3);
        responder.postReceive();
        requester.claimSend().id(4).signaled();
        requester.postSend();

        device.serve(requester, responder);

        assertThat(sendQueue.poll(completion)).isTrue();
        assertThat(completion.length()).isZero();
        assertThat(completion.isSuccess()).isTrue();
        assertThat(receiveQueue.poll(completion)).isTrue();
        assertThat(completion.id()).isEqualTo(3);
        assertThat(completion.length()).isZero();
    }

    @Test
    void guardsB47AHundredRequestsThroughSixteenPlacesAllCompleteInOrder() {
        // MOP-STR-11, MOP-STR-15
        int posted = 0;
        int polled = 0;
        for (int turn = 0; polled < 100; turn++) {
            assertThat(turn).isLessThan(1_000);
            while (posted < 100 && requester.canPostSend()) {
                requester.claimSend().id(posted++).rdmaWrite(0, 0).signaled();
                requester.postSend();
            }
            device.serve(requester, responder);
            if (turn % 3 == 2) {
                while (sendQueue.poll(completion)) {
                    assertThat(completion.id()).isEqualTo(polled++);
                }
            }
        }
        assertThat(posted).isEqualTo(100);
    }

    @Test
    void aFullSendQueueRefusesUntilTheLaneHasTakenARequest() {
        for (int i = 0; i < DEPTH; i++) {
            assertThat(requester.canPostSend()).isTrue();
            requester.claimSend().rdmaWrite(0, 0);
            requester.postSend();
        }
        assertThat(requester.canPostSend()).isFalse();

        device.serve(requester, responder);

        assertThat(requester.canPostSend()).isTrue();
    }

    @Test
    void aRequestInheritsNothingFromTheOneThatHadItsSlotBefore() {
        for (int i = 0; i < DEPTH; i++) {
            requester
                    .claimSend()
                    .id(99)
                    .rdmaWriteWithImmediate(0, 0, 5)
                    .local(source.lkey(), source.address(), 9)
                    .signaled()
                    .solicited();
        }
        responder.claimReceive().id(6);
        responder.postReceive();
        requester.claimSend();
        requester.postSend();

        device.serve(requester, responder);

        assertThat(sendQueue.poll(completion)).isFalse();
        assertThat(receiveQueue.poll(completion)).isTrue();
        assertThat(completion.length()).isZero();
        assertThat(completion.hasImmediate()).isFalse();
    }

    @Test
    void postingAndPollingAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        CompletionHandler handler = each -> assertSuccess(each);
        roundTrips(20_000, handler);
        long before = threads.getCurrentThreadAllocatedBytes();
        roundTrips(100_000, handler);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        // The measurement itself, and a deoptimised frame at worst; a byte for each of the posts would be 200,000.
        assertThat(allocated).isLessThan(10_000);
    }

    private void roundTrips(int count, CompletionHandler handler) {
        for (int i = 0; i < count; i++) {
            responder.claimReceive().id(i);
            responder.postReceive();
            requester
                    .claimSend()
                    .id(i)
                    .rdmaWriteWithImmediate(target.rkey(), target.address(), i)
                    .local(source.lkey(), source.address(), 8)
                    .signaled();
            requester.postSend();
            device.serve(requester, responder);
            if (sendQueue.poll(handler, 4) != 1 || !receiveQueue.poll(completion)) {
                throw new AssertionError("round trip " + i + " did not complete once");
            }
        }
    }

    private static void assertSuccess(WorkCompletion each) {
        if (!each.isSuccess()) {
            throw new AssertionError(each.status().name());
        }
    }

    @Test
    void aLengthThatDoesNotFitTheFieldIsRefusedWhenItIsWritten() {
        SendWorkRequest request = requester.claimSend();

        assertThatThrownBy(() -> request.local(1, 0, 1L << 32)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> request.local(1, 0, -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
