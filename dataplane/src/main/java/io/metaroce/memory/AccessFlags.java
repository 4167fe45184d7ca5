// SPDX-License-Identifier: Apache-2.0
package io.metaroce.memory;

/** What a registration permits, with the bits of verbs ({@code ibv_access_flags}). Local read is always permitted. */
public final class AccessFlags {
    public static final int LOCAL_WRITE = 1;
    public static final int REMOTE_WRITE = 1 << 1;
    public static final int REMOTE_READ = 1 << 2;
    public static final int REMOTE_ATOMIC = 1 << 3;
    /** Every defined bit. */
    public static final int ALL = LOCAL_WRITE | REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC;

    private AccessFlags() {}
}
