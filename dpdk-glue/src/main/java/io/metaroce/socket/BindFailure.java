// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import io.metaroce.port.PortException;
import io.metaroce.port.PortSettings;

/** Says why a socket could not be bound, in one line with the cure. */
final class BindFailure {
    private BindFailure() {}

    /**
     * @param what what was to be bound, for the message: a port number or the range that was searched
     */
    static PortException of(PortSettings settings, LocalAddress address, int errno, String what) {
        return new PortException(
                "port " + settings.name() + ": cannot bind " + address.text() + ":" + what + ": " + cause(errno));
    }

    private static String cause(int errno) {
        if (Errno.EADDRINUSE.is(errno)) {
            return "already in use: stop the other program ('ss -lunp' shows it) or choose another port";
        }
        if (Errno.EADDRNOTAVAIL.is(errno)) {
            return "this host has no such address: choose one that 'ip address' shows, or the wildcard 0.0.0.0 or ::";
        }
        if (Errno.EACCES.is(errno) || Errno.EPERM.is(errno)) {
            return "no permission: choose a port above 1023";
        }
        if (Errno.EINVAL.is(errno)) {
            return "invalid: a link-local address needs its interface, as in fe80::1%eth0";
        }
        return Errno.describe(errno);
    }
}
