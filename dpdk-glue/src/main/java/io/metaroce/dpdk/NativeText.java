// SPDX-License-Identifier: Apache-2.0
package io.metaroce.dpdk;

import java.nio.charset.StandardCharsets;
import org.agrona.UnsafeApi;

/** A C string of native memory. */
final class NativeText implements AutoCloseable {
    private final long address;

    NativeText(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        address = UnsafeApi.allocateMemory(bytes.length + 1);
        for (int i = 0; i < bytes.length; i++) {
            UnsafeApi.putByte(address + i, bytes[i]);
        }
        UnsafeApi.putByte(address + bytes.length, (byte) 0);
    }

    long address() {
        return address;
    }

    @Override
    public void close() {
        UnsafeApi.freeMemory(address);
    }
}
