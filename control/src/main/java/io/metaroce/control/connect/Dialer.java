// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import java.net.InetSocketAddress;

/** Opens channels; answers later, on the control thread. */
interface Dialer {
    /** Hears how one dial ended. */
    interface DialListener {
        void onDialed(ControlChannel channel, long nowNs);

        void onDialFailed(String why, long nowNs);
    }

    void dial(InetSocketAddress address, DialListener listener);
}
