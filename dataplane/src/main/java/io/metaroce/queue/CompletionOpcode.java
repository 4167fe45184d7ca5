// SPDX-License-Identifier: Apache-2.0
package io.metaroce.queue;

/** What kind of work request a completion ends. */
public enum CompletionOpcode {
    SEND,
    RDMA_WRITE,
    RECEIVE,
    RECEIVE_RDMA_WITH_IMM;

    private static final CompletionOpcode[] ROWS = values();

    /** The opcode of an ordinal written by the lane. */
    static CompletionOpcode of(int ordinal) {
        return ROWS[ordinal];
    }
}
