// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

/**
 * A memory registration, to be installed in every lane that may touch it.
 *
 * @param key from {@code io.metaroce.memory.MemoryKey}
 * @param address first byte; the memory stays mapped until {@link LaneControl#removeMemory} is answered
 * @param lengthBytes at least 1
 * @param accessFlags bits of {@code io.metaroce.memory.AccessFlags}
 * @param protectionDomain whose streams may use it
 */
public record Registration(int key, long address, long lengthBytes, int accessFlags, int protectionDomain) {}
