// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

/** Numbers of the Linux socket interface, as x86-64 and aarch64 have them (checked against the compiler in a test). */
final class NativeConstants {
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int SOCK_DGRAM = 2;
    static final int SOCK_NONBLOCK = 0x800;
    static final int SOCK_CLOEXEC = 0x80000;

    static final int SOL_SOCKET = 1;
    static final int SO_RCVBUF = 8;
    static final int SO_RCVBUFFORCE = 33;
    static final int SO_RXQ_OVFL = 40;

    static final int IPPROTO_IP = 0;
    static final int IP_TOS = 1;
    static final int IP_MTU_DISCOVER = 10;
    static final int IP_RECVTOS = 13;
    static final int IP_RECVFRAGSIZE = 25;

    static final int IPPROTO_IPV6 = 41;
    static final int IPV6_MTU_DISCOVER = 23;
    static final int IPV6_V6ONLY = 26;
    static final int IPV6_RECVTCLASS = 66;
    static final int IPV6_TCLASS = 67;
    static final int IPV6_RECVFRAGSIZE = 77;

    static final int IPPROTO_UDP = 17;
    static final int UDP_SEGMENT = 103;
    static final int UDP_GRO = 104;

    /** Sets DF and heeds the interface's MTU only: a stale path MTU in the kernel's cache never refuses a packet. */
    static final int PMTUDISC_PROBE = 3;

    static final int MSG_TRUNC = 0x20;
    static final int MSG_DONTWAIT = 0x40;

    static final long SIOCGIFFLAGS = 0x8913;
    static final int IFF_UP = 0x1;
    static final int IFF_RUNNING = 0x40;

    private NativeConstants() {}
}
