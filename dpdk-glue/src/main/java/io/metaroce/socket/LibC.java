// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import jnr.ffi.annotations.IgnoreError;

/**
 * The functions of the C library that the socket port calls; numbers and addresses only, at most five parameters.
 *
 * <p>The two calls of the lane save errno (5 ns more than {@code @IgnoreError}): between a call that drops errno and a
 * second one that fetches it the thread may stop at a safepoint, whose own system calls would replace "try again" by
 * something else. Public because the generated binding lives in another class loader.
 */
public interface LibC {
    int socket(int domain, int type, int protocol);

    int bind(int fd, long address, int addressLength);

    int getsockname(int fd, long address, long addressLengthAddress);

    int setsockopt(int fd, int level, int option, long value, int valueLength);

    int getsockopt(int fd, int level, int option, long value, long valueLengthAddress);

    int recvmmsg(int fd, long messages, int count, int flags, long timeoutAddress);

    int sendmmsg(int fd, long messages, int count, int flags);

    @IgnoreError
    int ioctl(int fd, long request, long argument);

    int sched_setaffinity(int processId, long maskBytes, long mask);

    @IgnoreError
    int close(int fd);
}
