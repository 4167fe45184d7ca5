// SPDX-License-Identifier: Apache-2.0
package io.metaroce.queue;

import org.jspecify.annotations.Nullable;

/** What a send work request asks for, with the codes of verbs ({@code ibv_wr_opcode}). */
public enum WorkRequestOpcode {
    RDMA_WRITE(0),
    RDMA_WRITE_WITH_IMM(1),
    SEND(2),
    SEND_WITH_IMM(3);

    private static final WorkRequestOpcode[] BY_CODE = values();

    private final int code;

    WorkRequestOpcode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** The opcode of a code, or null if there is none. */
    public static @Nullable WorkRequestOpcode of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
