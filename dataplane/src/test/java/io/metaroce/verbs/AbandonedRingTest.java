// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.queue.CompletionOpcode;
import io.metaroce.queue.CompletionStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A connection that ends under an open queue pair: requests that the lane never saw complete all the same. */
class AbandonedRingTest {
    private final LaneStandIn device = new LaneStandIn();
    private final Context context = Context.open(device);
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final CompletionQueue queue = context.createCompletionQueue(4);
    private final QueuePair one = domain.createQueuePair(new QueuePairSettings(queue, queue, 4, 4));
    private final QueuePair other = domain.createQueuePair(new QueuePairSettings(queue, queue, 4, 4));

    AbandonedRingTest() {
        device.join(one, other);
    }

    @Test
    void whatWasPostedBeforeAndAfterTheDisconnectIsFlushedInOrder() {
        post(1);
        one.disconnected();
        post(2);

        assertThat(poll()).containsExactly("1 SEND FLUSHED", "2 SEND FLUSHED");
        assertThat(one.state()).isEqualTo(QueuePairState.ERROR);
        post(3);
        assertThat(poll()).containsExactly("3 SEND FLUSHED");
    }

    @Test
    void postedReceivesAreFlushedAsReceives() {
        one.claimReceive().id(7);
        one.postReceive();

        one.disconnected();

        assertThat(poll()).containsExactly("7 RECEIVE FLUSHED");
    }

    @Test
    void closingKeepsWhatNobodyHasPolledYetAndTouchesTheRingNoMore() {
        post(1);
        one.claimReceive().id(7);
        one.postReceive();
        one.disconnected();

        one.close();

        assertThat(poll()).containsExactly("1 SEND FLUSHED", "7 RECEIVE FLUSHED");
        assertThat(poll()).isEmpty();
    }

    @Test
    void theOtherQueuePairOfTheCompletionQueueIsLeftAlone() {
        other.claimReceive().id(9);
        other.postReceive();
        post(1);

        one.disconnected();

        assertThat(poll()).containsExactly("1 SEND FLUSHED");
        assertThat(other.state()).isEqualTo(QueuePairState.READY_TO_SEND);
    }

    private void post(long id) {
        one.claimSend().send().id(id);
        one.postSend();
    }

    private List<String> poll() {
        List<String> seen = new ArrayList<>();
        queue.poll(completion -> seen.add(text(completion)), Integer.MAX_VALUE);
        return seen;
    }

    private static String text(WorkCompletion completion) {
        CompletionOpcode opcode = completion.opcode();
        CompletionStatus status = completion.status();
        return completion.id() + " " + opcode + " " + status;
    }
}
