// SPDX-License-Identifier: Apache-2.0
package io.metaroce.dpdk;

/** Negated errno values of the shim, in words. */
final class DpdkError {
    private DpdkError() {}

    static String text(long code) {
        int errno = (int) -code;
        return switch (errno) {
            case 1 -> "not permitted, or the other end is not there";
            case 2 -> "no such file";
            case 12 -> "out of memory: give EAL more with eal: \"-m MEGABYTES\", or smaller slots";
            case 13 -> "permission denied";
            case 16 -> "busy";
            case 17 -> "exists already";
            case 19 -> "no such device or driver";
            case 22 -> "invalid argument";
            case 95 -> "not supported by the driver";
            case 125 -> "EAL failed before in this process";
            default -> "errno " + errno;
        };
    }
}
