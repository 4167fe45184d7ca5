// SPDX-License-Identifier: Apache-2.0
package io.metaroce.queue;

/** How a work request ended, with the codes of verbs ({@code ibv_wc_status}). */
public enum CompletionStatus {
    SUCCESS(0),
    LOCAL_LENGTH_ERROR(1),
    LOCAL_QUEUE_PAIR_ERROR(2),
    LOCAL_PROTECTION_ERROR(4),
    FLUSHED(5),
    REMOTE_INVALID_REQUEST(9),
    REMOTE_ACCESS_ERROR(10),
    REMOTE_OPERATIONAL_ERROR(11),
    TRANSPORT_RETRY_EXCEEDED(12),
    RECEIVER_NOT_READY_RETRY_EXCEEDED(13),
    GENERAL_ERROR(21);

    private static final CompletionStatus[] ROWS = values();

    private final int code;

    CompletionStatus(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** The status of a code; an unknown one reads as {@link #GENERAL_ERROR}. */
    public static CompletionStatus of(int code) {
        for (CompletionStatus status : ROWS) {
            if (status.code == code) {
                return status;
            }
        }
        return GENERAL_ERROR;
    }
}
