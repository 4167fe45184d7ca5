// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import java.nio.charset.StandardCharsets;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Whether the interface is up and has a carrier, asked of the kernel with one ioctl at every 16th question: about 20 ns per
 * question on average, and never older than 16 turns of the lane. The wildcard address belongs to no interface: always up.
 */
final class LinkState {
    private static final LibC LIB_C = LibCLoader.load();

    private static final int QUESTIONS_PER_LOOK = 16;
    private static final int CARRIES = NativeConstants.IFF_UP | NativeConstants.IFF_RUNNING;

    private final UnsafeBuffer request =
            new UnsafeBuffer(BufferUtil.allocateDirectAligned(NativeLayout.IFREQ_BYTES, Long.BYTES));
    private final int fd;
    private final boolean hasInterface;
    private int questions;
    private boolean isUp = true;

    LinkState(int fd, String interfaceName) {
        this.fd = fd;
        byte[] name = interfaceName.getBytes(StandardCharsets.UTF_8);
        this.hasInterface = name.length > 0 && name.length < NativeLayout.IFR_NAME_BYTES;
        if (hasInterface) {
            request.putBytes(0, name);
            look();
        }
    }

    boolean isUp() {
        if (hasInterface && ++questions >= QUESTIONS_PER_LOOK) {
            questions = 0;
            look();
        }
        return isUp;
    }

    private void look() {
        int rc = LIB_C.ioctl(fd, NativeConstants.SIOCGIFFLAGS, request.addressOffset());
        // An interface that is gone answers with an error: that link is down, too.
        isUp = rc == 0 && (request.getShort(NativeLayout.IFR_FLAGS) & CARRIES) == CARRIES;
    }
}
