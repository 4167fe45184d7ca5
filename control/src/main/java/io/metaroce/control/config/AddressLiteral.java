// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** Addresses given as literals, so that reading a configuration never asks a name server. */
public final class AddressLiteral {
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(%[0-9A-Za-z._-]{1,15})?");

    private AddressLiteral() {}

    public static boolean isLiteral(String text) {
        if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
            return false;
        }
        int scope = text.indexOf('%');
        try {
            // The scope names an interface of this host, which a check of a file need not have.
            return InetAddress.getByName(scope < 0 ? text : text.substring(0, scope)) != null;
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Whether only this host can reach the address. */
    public static boolean isLoopback(String text) {
        try {
            return isLiteral(text)
                    && text.indexOf('%') < 0
                    && InetAddress.getByName(text).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
