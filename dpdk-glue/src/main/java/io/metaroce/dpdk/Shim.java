// SPDX-License-Identifier: Apache-2.0
package io.metaroce.dpdk;

import jnr.ffi.annotations.IgnoreError;

/**
 * The functions of {@code metaroce_dpdk.c}, where each is described. Integers and addresses only, at most five parameters;
 * results below 0 are negated errno values, so that errno itself is never asked for. Public because the generated binding
 * lives in another class loader.
 */
public interface Shim {
    @IgnoreError
    int metaroce_eal_init(long arguments, int count);

    @IgnoreError
    int metaroce_device_probe(long description);

    @IgnoreError
    int metaroce_port_by_name(long name);

    @IgnoreError
    long metaroce_pool_create(long name, int count, int cache, int room);

    @IgnoreError
    int metaroce_pool_available(long pool);

    @IgnoreError
    int metaroce_pool_free(long pool);

    @IgnoreError
    int metaroce_port_start(int port, int queues, int descriptors, long pool);

    @IgnoreError
    int metaroce_port_close(int port);

    @IgnoreError
    int metaroce_port_info(int port, long out);

    @IgnoreError
    int metaroce_link_is_up(int port);

    @IgnoreError
    int metaroce_port_statistics(int port, long out);

    @IgnoreError
    int metaroce_receive(int port, int queue, long block, int capacity);

    @IgnoreError
    int metaroce_transmit(int port, int queue, long block, int capacity, int count);

    @IgnoreError
    int metaroce_allocate(long pool, long block, int capacity, int count);

    @IgnoreError
    int metaroce_free(long block, int capacity, int count);
}
