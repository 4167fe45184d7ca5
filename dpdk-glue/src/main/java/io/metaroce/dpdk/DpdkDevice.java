// SPDX-License-Identifier: Apache-2.0
package io.metaroce.dpdk;

import io.metaroce.port.PortException;
import io.metaroce.port.PortSettings;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** A started device with its pool of buffers, and the numbers it counts. */
final class DpdkDevice implements AutoCloseable {
    /** In front of a frame in its buffer, as DPDK is built. */
    static final int HEADROOM_BYTES = 128;

    private static final int ETHERNET_BYTES = 14 + 2 * 4;
    private static final int BUFFER_STEP_BYTES = 2_048;
    private static final int BUFFER_CACHE = 32;
    /** Besides what both queues hold: what the lane has in its hands. */
    private static final int BUFFERS_IN_HAND = 1_024;

    private static final int INFO_NUMBERS = 4;
    private static final int STATISTICS_NUMBERS = 8;

    /** Where {@link Shim#metaroce_port_statistics} puts what we ask for. */
    enum Statistic {
        MISSED(4),
        ERRORS(5),
        NO_BUFFER(7);

        private final int index;

        Statistic(int index) {
            this.index = index;
        }
    }

    private final Shim shim;
    private final int port;
    private final long pool;
    private final int buffers;
    private final long mac;
    private final int mtu;
    private final UnsafeBuffer statistics =
            new UnsafeBuffer(BufferUtil.allocateDirectAligned(STATISTICS_NUMBERS * 8, 8));

    private DpdkDevice(Shim shim, int port, long pool, int buffers, long mac, int mtu) {
        this.shim = shim;
        this.port = port;
        this.pool = pool;
        this.buffers = buffers;
        this.mac = mac;
        this.mtu = mtu;
    }

    /**
     * Starts EAL if need be, creates the device if need be, and starts it with one queue each way.
     *
     * @throws PortException in one line that names the step, the device and the cure
     */
    static DpdkDevice open(PortSettings settings, DpdkOptions options) {
        Shim shim = Eal.start(options.eal());
        String who = "port " + settings.name() + ": ";
        int port = find(shim, who, options);
        UnsafeBuffer info = new UnsafeBuffer(BufferUtil.allocateDirectAligned(INFO_NUMBERS * Long.BYTES, Long.BYTES));
        check(
                shim.metaroce_port_info(port, info.addressOffset()),
                who + options.deviceName() + " tells nothing of itself");
        int mtu = options.mtu() > 0 ? options.mtu() : (int) info.getLong(Long.BYTES);
        int buffers = 2 * options.descriptors() + BUFFERS_IN_HAND;
        long pool;
        try (NativeText name = new NativeText("metaroce-" + port)) {
            pool = shim.metaroce_pool_create(name.address(), buffers, BUFFER_CACHE, roomBytes(mtu));
        }
        check(pool, who + buffers + " buffers of " + mtu + " bytes are not to be had");
        int started = shim.metaroce_port_start(port, 1, options.descriptors(), pool);
        if (started != 0) {
            shim.metaroce_port_close(port);
            shim.metaroce_pool_free(pool);
            check(
                    started,
                    who + options.deviceName() + " does not start with " + options.descriptors() + " descriptors");
        }
        return new DpdkDevice(shim, port, pool, buffers, info.getLong(0), mtu);
    }

    /** Drivers with slots of their own in memory want buffers as large as a slot, which is more than the MTU. */
    private static int roomBytes(int mtu) {
        return HEADROOM_BYTES + (ETHERNET_BYTES + mtu + BUFFER_STEP_BYTES - 1) / BUFFER_STEP_BYTES * BUFFER_STEP_BYTES;
    }

    private static int find(Shim shim, String who, DpdkOptions options) {
        try (NativeText description = new NativeText(options.device());
                NativeText name = new NativeText(options.deviceName())) {
            check(
                    shim.metaroce_device_probe(description.address()),
                    who + "DPDK cannot create the device " + options.device());
            int port = shim.metaroce_port_by_name(name.address());
            check(port, who + "DPDK has no device " + options.deviceName());
            return port;
        }
    }

    private static void check(long result, String what) {
        if (result < 0) {
            throw new PortException(what + " (" + DpdkError.text(result) + ")");
        }
    }

    Shim shim() {
        return shim;
    }

    int port() {
        return port;
    }

    long pool() {
        return pool;
    }

    /** The device's MAC address in the low 48 bits. */
    long mac() {
        return mac;
    }

    /** Largest IP packet in bytes. */
    int mtu() {
        return mtu;
    }

    boolean linkIsUp() {
        return shim.metaroce_link_is_up(port) == 1;
    }

    /** What the device counted since it started; any thread. */
    synchronized long statistic(Statistic which) {
        return shim.metaroce_port_statistics(port, statistics.addressOffset()) == 0
                ? statistics.getLong(which.index * Long.BYTES)
                : 0;
    }

    /** Buffers that are neither in a queue nor in anybody's hands; for tests, with a device that stands still. */
    int freeBuffers() {
        return shim.metaroce_pool_available(pool);
    }

    int buffers() {
        return buffers;
    }

    /** Closes the device. Buffers that another device of this process still has keep the pool alive until it ends. */
    @Override
    public void close() {
        shim.metaroce_port_close(port);
        if (freeBuffers() == buffers) {
            shim.metaroce_pool_free(pool);
        }
    }
}
