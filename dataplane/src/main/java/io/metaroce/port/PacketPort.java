// SPDX-License-Identifier: Apache-2.0
package io.metaroce.port;

/**
 * One queue of one device, which is one plane for the lane that owns it. All calls except {@link #counter} come from the
 * lane's thread. No call blocks, allocates on the heap or throws once the port is open: trouble with a packet is a
 * counter, trouble with the device shows in {@link #linkIsUp}.
 */
public interface PacketPort extends AutoCloseable {

    /** What this port offers; constant after opening. */
    PortCapabilities capabilities();

    /** The UDP port this queue receives at: the one the system chose if the settings said 0; 0 if the port has none. */
    default int udpPort() {
        return 0;
    }

    /**
     * The source port of one entropy of this port's pool.
     *
     * @param index 0 to {@code capabilities().sourcePortCount() - 1}
     */
    int sourcePort(int index);

    /**
     * Receives up to the burst's capacity. The burst must be empty; its buffers belong to the caller until released.
     *
     * @return packets received, which is the burst's new size; 0 when nothing waits
     */
    int receive(PacketBurst burst);

    /**
     * Fills an empty burst with buffers to write packets into, each of {@code capabilities().frameBytesMax()} bytes.
     *
     * @return buffers granted, {@code 0..count}, which is the burst's new size
     */
    int allocate(PacketBurst burst, int count);

    /**
     * Hands packets to the device in order. The first {@code n} descriptors are the port's from then on; the rest stay
     * the caller's, who offers them again or releases them.
     *
     * @return {@code n}, packets accepted; the burst is left as it was
     */
    int transmit(PacketBurst burst);

    /** Gives all buffers of a burst back, received or allocated, and empties it. */
    void release(PacketBurst burst);

    /** Whether the device can carry packets now. */
    boolean linkIsUp();

    /** Current value of a counter; callable from any thread. */
    long counter(PortCounter counter);

    /** Frees the device; the port and all its buffers are unusable afterwards. */
    @Override
    void close();
}
