// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import java.security.SecureRandom;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who we are to peers.
 *
 * @param node name for people
 * @param incarnation 64 random bits of this process, so that a peer sees a restart
 */
public record Identity(String node, long incarnation) {
    /** An identity for this process (MOP-SEC-1). */
    public static Identity random(String node) {
        return new Identity(node, new SecureRandom().nextLong());
    }

    ControlMessage.Hello hello() {
        return new ControlMessage.Hello(ControlMessage.VERSION, ControlMessage.PROFILE, List.of(), incarnation, node);
    }

    /** What to tell both operators when versions differ, or null. */
    static @Nullable String mismatch(ControlMessage.Hello hello) {
        if (hello.version() == ControlMessage.VERSION && hello.profile().equals(ControlMessage.PROFILE)) {
            return null;
        }
        return "versions differ: one side speaks control protocol " + hello.version() + " with profile "
                + hello.profile() + ", the other " + ControlMessage.VERSION + " with " + ControlMessage.PROFILE;
    }
}
