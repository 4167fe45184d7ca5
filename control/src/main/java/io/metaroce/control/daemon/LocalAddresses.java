// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import io.metaroce.control.config.AddressLiteral;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Collections;
import org.jspecify.annotations.Nullable;

/** Finds the address that a port's {@code address} means: a literal, or the name of an interface of this host. */
final class LocalAddresses {
    private LocalAddresses() {}

    /**
     * A local address as a literal, with its scope if it is link-local.
     *
     * @throws StartFailure if the text names neither an address nor an interface with one
     */
    static InetAddress resolve(String portName, String text) throws StartFailure {
        try {
            if (AddressLiteral.isLiteral(text)) {
                return InetAddress.getByName(text);
            }
            NetworkInterface device = NetworkInterface.getByName(text);
            InetAddress address = device == null ? null : firstOf(device);
            if (address != null) {
                return address;
            }
            throw new StartFailure(
                    "port " + portName + ": " + text + " is neither an address nor an interface of this host"
                            + " with one (ports[].address); see 'ip address'");
        } catch (UnknownHostException | SocketException e) {
            throw new StartFailure("port " + portName + ": address " + text + " cannot be used: " + e.getMessage(), e);
        }
    }

    /** IPv4 first, then a global IPv6 address, then a link-local one. */
    private static @Nullable InetAddress firstOf(NetworkInterface device) {
        InetAddress best = null;
        for (InetAddress address : Collections.list(device.getInetAddresses())) {
            if (address instanceof Inet4Address) {
                return address;
            }
            if (best == null || best.isLinkLocalAddress()) {
                best = address;
            }
        }
        return best;
    }

    /** Interface index of a link-local address, else 0. */
    static int scopeOf(InetAddress address) {
        return address instanceof Inet6Address six && address.isLinkLocalAddress() ? six.getScopeId() : 0;
    }

    /** The address without its scope, as peers are told. */
    static String withoutScope(InetAddress address) {
        String text = address.getHostAddress();
        int scope = text.indexOf('%');
        return scope < 0 ? text : text.substring(0, scope);
    }
}
