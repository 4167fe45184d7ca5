// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

/**
 * The C structures this port reads and writes, as 64-bit Linux lays them out (checked against the compiler in a test).
 *
 * <pre>
 *   struct mmsghdr, 64 bytes                         struct iovec, 16 bytes
 *    0 msg_name        8  -> sockaddr                 0 iov_base  8  -> packet bytes
 *    8 msg_namelen     4  (+4 padding)                8 iov_len   8
 *   16 msg_iov         8  -> iovec
 *   24 msg_iovlen      8  always 1                   struct sockaddr_in, 16        struct sockaddr_in6, 28
 *   32 msg_control     8  -> cmsg area                0 family 2, native            0 family   2, native
 *   40 msg_controllen  8                              2 port   2, network           2 port     2, network
 *   48 msg_flags       4  (+4 padding)                4 addr   4, network           4 flowinfo 4
 *   56 msg_len         4  bytes moved (+4 padding)    8 zero   8                    8 addr    16, network
 *                                                                                  24 scope_id 4, native
 *   struct cmsghdr, 16 bytes, then the data, padded to 8
 *    0 cmsg_len 8 | 8 cmsg_level 4 | 12 cmsg_type 4 | 16 data
 * </pre>
 */
final class NativeLayout {
    static final int MMSGHDR_BYTES = 64;
    static final int MSG_NAME = 0;
    static final int MSG_NAMELEN = 8;
    static final int MSG_IOV = 16;
    static final int MSG_IOVLEN = 24;
    static final int MSG_CONTROL = 32;
    static final int MSG_CONTROLLEN = 40;
    static final int MSG_FLAGS = 48;
    static final int MSG_LEN = 56;

    static final int IOVEC_BYTES = 16;
    static final int IOV_BASE = 0;
    static final int IOV_LEN = 8;

    static final int SOCKADDR_FAMILY = 0;
    static final int SOCKADDR_PORT = 2;
    static final int SOCKADDR_IN_BYTES = 16;
    static final int SIN_ADDR = 4;
    static final int SOCKADDR_IN6_BYTES = 28;
    static final int SIN6_ADDR = 8;
    static final int SIN6_SCOPE_ID = 24;

    static final int CMSGHDR_BYTES = 16;
    static final int CMSG_LEN = 0;
    static final int CMSG_LEVEL = 8;
    static final int CMSG_TYPE = 12;
    static final int CMSG_ALIGNMENT = 8;

    /** struct ifreq: the interface name, then a union that starts with the short of flags. */
    static final int IFREQ_BYTES = 40;

    static final int IFR_NAME_BYTES = 16;
    static final int IFR_FLAGS = 16;

    private NativeLayout() {}
}
