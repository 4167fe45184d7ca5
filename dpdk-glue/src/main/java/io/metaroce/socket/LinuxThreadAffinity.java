// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import io.metaroce.port.PortException;
import io.metaroce.port.ThreadAffinity;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Pins the calling thread with sched_setaffinity. */
public final class LinuxThreadAffinity implements ThreadAffinity {
    /** Processors a mask can name: CPU_SETSIZE of the C library. */
    private static final int CPUS_MAX = 1024;

    private static final int CALLING_THREAD = 0;

    @Override
    public void pinCurrentThread(int cpu) {
        if (cpu < 0 || cpu >= CPUS_MAX) {
            throw new PortException("cannot pin to processor " + cpu + ": give one of 0-" + (CPUS_MAX - 1));
        }
        UnsafeBuffer mask = new UnsafeBuffer(BufferUtil.allocateDirectAligned(CPUS_MAX / Byte.SIZE, Long.BYTES));
        int word = cpu / Long.SIZE * Long.BYTES;
        mask.putLong(word, 1L << (cpu % Long.SIZE));
        if (LibCLoader.load().sched_setaffinity(CALLING_THREAD, mask.capacity(), mask.addressOffset()) < 0) {
            String reason = Errno.describe(LibCLoader.lastError());
            throw new PortException("cannot pin to processor " + cpu + " (" + reason
                    + "): choose one that this process may use ('taskset -cp' of it shows them)");
        }
    }
}
