// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

/** The error numbers of Linux that mean something to this port. */
enum Errno {
    EPERM(1, "operation not permitted"),
    EINTR(4, "interrupted"),
    EIO(5, "input/output error"),
    EAGAIN(11, "try again"),
    ENOMEM(12, "out of memory"),
    EACCES(13, "permission denied"),
    EINVAL(22, "invalid argument"),
    ENFILE(23, "too many open files in the system"),
    EMFILE(24, "too many open files in this process"),
    EMSGSIZE(90, "message too long"),
    EAFNOSUPPORT(97, "address family not supported"),
    EADDRINUSE(98, "address already in use"),
    EADDRNOTAVAIL(99, "no such address on this host"),
    ENETUNREACH(101, "network unreachable"),
    ENOBUFS(105, "no buffer space"),
    ECONNREFUSED(111, "connection refused");

    private final int number;
    private final String text;

    Errno(int number, String text) {
        this.number = number;
        this.text = text;
    }

    boolean is(int errno) {
        return number == errno;
    }

    static String describe(int errno) {
        for (Errno known : values()) {
            if (known.is(errno)) {
                return known.text;
            }
        }
        return "error " + errno;
    }

    /** Whether a send failed for want of room, so that the same packet may go later. */
    static boolean isBusy(int errno) {
        return EAGAIN.is(errno) || ENOBUFS.is(errno) || ENOMEM.is(errno);
    }
}
