// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.check;

import io.metaroce.harness.app.PayloadPattern;
import io.metaroce.queue.CompletionStatus;
import java.util.ArrayList;
import java.util.List;

/**
 * One direction of one stream, as its users see it: what was posted, what must come of it. A message's bytes are compared
 * when its completion comes, then poisoned; whoever writes there afterwards has written twice.
 */
public final class FlowOracle {
    /** Bytes between two targets that nobody may touch. */
    public static final int GUARD_BYTES = 64;

    private final String name;
    private final PayloadPattern pattern;
    private final List<Expected> messages = new ArrayList<>();
    private final List<Expected> consuming = new ArrayList<>();
    private int sendCompletions;
    private int receiveCompletions;
    private int failedFrom = Integer.MAX_VALUE;
    private boolean isDisturbed;
    private boolean hasFailed;
    private boolean isUnreadable;

    /** A posted message and where its bytes must appear. */
    private static final class Expected {
        final int number;
        final long length;
        final boolean isPlacedByAddress;
        long target;
        boolean isChecked;

        Expected(int number, long length, boolean isPlacedByAddress, long target) {
            this.number = number;
            this.length = length;
            this.isPlacedByAddress = isPlacedByAddress;
            this.target = target;
        }
    }

    public FlowOracle(String name, long seed) {
        this.name = name;
        this.pattern = new PayloadPattern(seed);
    }

    public PayloadPattern pattern() {
        return pattern;
    }

    /** A message was posted; {@code target} is where a WRITE goes, 0 for a SEND. */
    public void onPosted(long length, boolean isPlacedByAddress, boolean consumesReceive, long target) {
        Expected message = new Expected(messages.size(), length, isPlacedByAddress, target);
        messages.add(message);
        if (consumesReceive) {
            consuming.add(message);
        }
    }

    /** The message posted last must be refused, and all behind it flushed. */
    public void onDoomed() {
        failedFrom = Math.min(failedFrom, messages.size() - 1);
    }

    /** Somebody pulled something away from under the stream: from now on messages may fail, in order, and none is lost. */
    public void onDisturbed() {
        isDisturbed = true;
    }

    /** The targets' memory was taken back, so that bytes can no longer be compared. */
    public void onTargetsGone() {
        isUnreadable = true;
    }

    /** Whether something may fail, by a doomed message or a disturbance. */
    public boolean mayFail() {
        return isDisturbed || failedFrom != Integer.MAX_VALUE;
    }

    public int posted() {
        return messages.size();
    }

    public boolean isDone() {
        return sendCompletions == messages.size();
    }

    public int sendCompletions() {
        return sendCompletions;
    }

    public void onSendCompletion(long id, CompletionStatus status) {
        require(sendCompletions < messages.size(), "a completion without a request: id " + id);
        require(id == sendCompletions, "completion " + id + " in place of " + sendCompletions);
        if (isDisturbed) {
            require(!hasFailed || status != CompletionStatus.SUCCESS, "message " + id + " succeeds after a failure");
        } else if (sendCompletions < failedFrom) {
            require(status == CompletionStatus.SUCCESS, "message " + id + " ended as " + status);
        } else {
            CompletionStatus expected =
                    sendCompletions == failedFrom ? CompletionStatus.REMOTE_ACCESS_ERROR : CompletionStatus.FLUSHED;
            require(status == expected, "message " + id + " must end as " + expected + ", not as " + status);
        }
        hasFailed |= status != CompletionStatus.SUCCESS;
        Expected message = messages.get(sendCompletions++);
        if (status == CompletionStatus.SUCCESS && message.isPlacedByAddress) {
            check(message);
        }
    }

    /** A receive completed; {@code buffer} is where its bytes lie if it was consumed by a SEND. */
    public void onReceiveCompletion(long id, long length, long buffer) {
        require(id == receiveCompletions, "receive " + id + " in place of " + receiveCompletions);
        require(receiveCompletions < consuming.size(), "a receive completed that nobody consumed: " + id);
        Expected message = consuming.get(receiveCompletions++);
        require(length == message.length, "receive " + id + " of " + length + " bytes, not " + message.length);
        if (!message.isPlacedByAddress) {
            message.target = buffer;
        }
        // Write ... Write-with-immediate: everything before is in place as well.
        for (int i = 0; i <= message.number; i++) {
            Expected earlier = messages.get(i);
            if (earlier.isPlacedByAddress || earlier == message) {
                check(earlier);
            }
        }
    }

    /** Nothing may have been written into a target after its message was complete. */
    public void onEnd() {
        require(isDone(), "only " + sendCompletions + " of " + messages.size() + " messages completed");
        for (Expected message : messages) {
            if (message.isChecked) {
                long touched = PayloadPattern.countTouched(message.target, message.length);
                require(touched == 0, "message " + message.number + ": " + touched + " bytes written again");
            }
        }
    }

    private void check(Expected message) {
        if (message.isChecked || isUnreadable) {
            return;
        }
        message.isChecked = true;
        long wrong = pattern.countWrong(message.target, message.length, message.number);
        require(wrong == 0, "message " + message.number + ": " + wrong + " of " + message.length + " bytes wrong");
        PayloadPattern.poison(message.target, message.length);
    }

    private void require(boolean isTrue, String what) {
        if (!isTrue) {
            throw new OracleViolation(name + ": " + what);
        }
    }
}
