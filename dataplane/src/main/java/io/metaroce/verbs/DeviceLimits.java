// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

/**
 * What a device can hold.
 *
 * @param queuePairsMax queue pairs open at one time
 * @param queueDepthMax slots of a send, receive or completion queue
 * @param memoryRegionsMax registrations at one time
 * @param messageBytesMax bytes of one message
 */
public record DeviceLimits(int queuePairsMax, int queueDepthMax, int memoryRegionsMax, long messageBytesMax) {}
