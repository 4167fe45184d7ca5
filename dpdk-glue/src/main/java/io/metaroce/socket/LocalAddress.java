// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import io.metaroce.port.IpAddress;
import io.metaroce.port.PortException;
import io.metaroce.port.PortSettings;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The address a port is bound to, resolved, and what its interface says. Used at opening only.
 *
 * @param isIpv6 family of the sockets; {@code ::} takes IPv4 as well
 * @param high first half of the address, see {@link IpAddress}
 * @param low second half
 * @param scope interface index of a link-local address, else 0
 * @param isWildcard whether the sockets listen on every address
 * @param interfaceName of the one interface that has the address; empty if there is none or it is the wildcard
 * @param mtuBytes of that interface; for the wildcard the smallest of all interfaces that are up, loopback only if alone
 * @param text the address for people, IPv6 in brackets
 */
record LocalAddress(
        boolean isIpv6,
        long high,
        long low,
        int scope,
        boolean isWildcard,
        String interfaceName,
        int mtuBytes,
        String text) {
    private static final int IPV4_HEADERS_BYTES = 20 + 8;
    private static final int IPV6_HEADERS_BYTES = 40 + 8;

    /** What every IPv6 link must carry (RFC 8200, section 5): taken where no interface tells more. */
    private static final int MTU_BYTES_DEFAULT = 1280;

    /** Largest UDP payload that the interface carries in one unfragmented packet. */
    int frameBytesMax() {
        return mtuBytes - (isIpv6 ? IPV6_HEADERS_BYTES : IPV4_HEADERS_BYTES);
    }

    /**
     * @throws PortException if the text is no address of this host
     */
    static LocalAddress resolve(PortSettings settings) {
        InetAddress address = lookUp(settings);
        byte[] bytes = address.getAddress();
        boolean isIpv6 = bytes.length == 16;
        NetworkInterface device = address.isAnyLocalAddress() ? null : deviceOf(address);
        String text = address.getHostAddress();
        return new LocalAddress(
                isIpv6,
                IpAddress.high(bytes),
                IpAddress.low(bytes),
                address instanceof Inet6Address six ? six.getScopeId() : 0,
                address.isAnyLocalAddress(),
                device == null ? "" : device.getName(),
                device == null ? smallestMtu() : mtuOf(device, MTU_BYTES_DEFAULT),
                isIpv6 ? "[" + text + "]" : text);
    }

    private static InetAddress lookUp(PortSettings settings) {
        String text = settings.localAddress();
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new PortException(
                    "port " + settings.name() + ": local address '" + text
                            + "' is neither an address nor a name this host can resolve: give one that 'ip address' shows,"
                            + " such as 192.0.2.1 or fe80::1%eth0",
                    e);
        }
    }

    private static @Nullable NetworkInterface deviceOf(InetAddress address) {
        try {
            NetworkInterface device = NetworkInterface.getByInetAddress(address);
            if (device == null && address.isLoopbackAddress()) {
                // The whole of 127/8 is local although only 127.0.0.1 is listed.
                device = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
            }
            NetworkInterface parent = device == null ? null : device.getParent();
            // An alias (eth0:1) has no state of its own.
            return parent != null && device != null && device.getName().contains(":") ? parent : device;
        } catch (SocketException e) {
            return null;
        }
    }

    private static int smallestMtu() {
        int smallest = Integer.MAX_VALUE;
        int loopback = MTU_BYTES_DEFAULT;
        for (NetworkInterface device : devices()) {
            try {
                if (device.isUp() && device.isLoopback()) {
                    loopback = mtuOf(device, MTU_BYTES_DEFAULT);
                } else if (device.isUp()) {
                    smallest = Math.min(smallest, mtuOf(device, MTU_BYTES_DEFAULT));
                }
            } catch (SocketException e) {
                smallest = Math.min(smallest, MTU_BYTES_DEFAULT); // Gone while we looked: assume the least.
            }
        }
        return smallest == Integer.MAX_VALUE ? loopback : smallest;
    }

    private static List<NetworkInterface> devices() {
        try {
            return Collections.list(NetworkInterface.getNetworkInterfaces());
        } catch (SocketException e) {
            return new ArrayList<>();
        }
    }

    private static int mtuOf(NetworkInterface device, int otherwise) {
        try {
            int mtuBytes = device.getMTU();
            return mtuBytes > 0 ? mtuBytes : otherwise;
        } catch (SocketException e) {
            return otherwise;
        }
    }
}
