// SPDX-License-Identifier: Apache-2.0
/*
 * The thinnest layer over libdpdk that Java can call: integers and addresses only, every argument checked, no policy, no
 * output. Results below 0 are negated errno values. Nothing here ends the process: a caller's mistake is -EINVAL.
 *
 * Bursts are blocks as io.metaroce.port.PacketBurst lays them out; of its arrays, each of `capacity` entries, this file knows
 *   handle[] at 0, 8 B each:                 the mbuf
 *   data[]   at 8 * capacity, 8 B each:      address of the first byte
 *   length[] at 32 * capacity, 4 B each:     bytes
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#define POOLS_MAX 64
#define BURST_MAX 256
#define ARGUMENTS_MAX 64
#define EXPORT __attribute__((visibility("default")))

static bool isInitialised;
static bool isStarted[RTE_MAX_ETHPORTS];
static uint16_t queuesOf[RTE_MAX_ETHPORTS];
static struct rte_mempool *pools[POOLS_MAX];

static inline bool isPool(const struct rte_mempool *pool) {
    for (int i = 0; i < POOLS_MAX; i++) {
        if (pools[i] == pool) {
            return pool != NULL;
        }
    }
    return false;
}

static inline bool isBurst(int64_t block, int32_t capacity, int32_t count) {
    return block != 0 && (block & 7) == 0 && capacity >= 1 && capacity <= BURST_MAX && count >= 0 && count <= capacity;
}

static inline bool isQueue(int32_t port, int32_t queue) {
    return port >= 0 && port < RTE_MAX_ETHPORTS && isStarted[port] && queue >= 0 && queue < queuesOf[port];
}

static inline bool isPort(int32_t port) {
    return isInitialised && port >= 0 && port < RTE_MAX_ETHPORTS && rte_eth_dev_is_valid_port((uint16_t)port);
}

static inline struct rte_mbuf **handles(int64_t block) {
    return (struct rte_mbuf **)(uintptr_t)block;
}

static inline uint64_t *datas(int64_t block, int32_t capacity) {
    return (uint64_t *)(uintptr_t)(block + 8LL * capacity);
}

static inline uint32_t *lengths(int64_t block, int32_t capacity) {
    return (uint32_t *)(uintptr_t)(block + 32LL * capacity);
}

/* Starts EAL with `count` argument strings whose addresses stand at `arguments`; once a process, from a thread of its own. */
EXPORT int32_t metaroce_eal_init(int64_t arguments, int32_t count) {
    static bool isTried;
    if (arguments == 0 || count < 1 || count > ARGUMENTS_MAX) {
        return -EINVAL;
    }
    if (isTried) {
        return isInitialised ? -EALREADY : -ECANCELED;
    }
    isTried = true;
    /* EAL keeps and reorders the array: it gets a copy that lives as long as the process. */
    static char *argv[ARGUMENTS_MAX + 1];
    for (int32_t i = 0; i < count; i++) {
        argv[i] = ((char **)(uintptr_t)arguments)[i];
        if (argv[i] == NULL) {
            return -EINVAL;
        }
    }
    if (rte_eal_init(count, argv) < 0) {
        return rte_errno > 0 ? -rte_errno : -EIO;
    }
    isInitialised = true;
    return 0;
}

/* Creates the device that a string like "net_ring0" or "net_memif0,role=client" describes, if it is not there. */
EXPORT int32_t metaroce_device_probe(int64_t description) {
    if (!isInitialised || description == 0) {
        return -EINVAL;
    }
    int result = rte_dev_probe((const char *)(uintptr_t)description);
    return result == -EEXIST ? 0 : result;
}

/* The number of a port by the name of its device; -ENODEV if there is none. */
EXPORT int32_t metaroce_port_by_name(int64_t name) {
    uint16_t port;
    if (!isInitialised || name == 0) {
        return -EINVAL;
    }
    return rte_eth_dev_get_port_by_name((const char *)(uintptr_t)name, &port) == 0 ? port : -ENODEV;
}

/* A pool of `count` buffers of `room` bytes each, headroom included; its address, or a negated errno. */
EXPORT int64_t metaroce_pool_create(int64_t name, int32_t count, int32_t cache, int32_t room) {
    if (!isInitialised || name == 0 || count < 1 || cache < 0 || room < RTE_PKTMBUF_HEADROOM || room > UINT16_MAX) {
        return -EINVAL;
    }
    for (int i = 0; i < POOLS_MAX; i++) {
        if (pools[i] == NULL) {
            pools[i] = rte_pktmbuf_pool_create(
                (const char *)(uintptr_t)name, (unsigned)count, (unsigned)cache, 0, (uint16_t)room, SOCKET_ID_ANY);
            return pools[i] != NULL ? (int64_t)(uintptr_t)pools[i] : -(int64_t)(rte_errno > 0 ? rte_errno : ENOMEM);
        }
    }
    return -ENOSPC;
}

/* Buffers of a pool that nobody has; a negated errno for what is no pool. */
EXPORT int32_t metaroce_pool_available(int64_t pool) {
    const struct rte_mempool *which = (const struct rte_mempool *)(uintptr_t)pool;
    return isPool(which) ? (int32_t)rte_mempool_avail_count(which) : -EINVAL;
}

/* Frees a pool; every port that receives into it must be closed. */
EXPORT int32_t metaroce_pool_free(int64_t pool) {
    for (int i = 0; i < POOLS_MAX; i++) {
        if (pool != 0 && (int64_t)(uintptr_t)pools[i] == pool) {
            rte_mempool_free(pools[i]);
            pools[i] = NULL;
            return 0;
        }
    }
    return -EINVAL;
}

/* Configures and starts a port with as many receive as transmit queues of `descriptors` each, filled from `pool`. */
EXPORT int32_t metaroce_port_start(int32_t port, int32_t queues, int32_t descriptors, int64_t pool) {
    struct rte_mempool *from = (struct rte_mempool *)(uintptr_t)pool;
    if (!isPort(port) || isStarted[port] || queues < 1 || queues > UINT16_MAX || descriptors < 1
        || descriptors > UINT16_MAX || !isPool(from)) {
        return -EINVAL;
    }
    struct rte_eth_conf configuration;
    memset(&configuration, 0, sizeof configuration);
    int result = rte_eth_dev_configure((uint16_t)port, (uint16_t)queues, (uint16_t)queues, &configuration);
    uint16_t receive = (uint16_t)descriptors;
    uint16_t transmit = (uint16_t)descriptors;
    if (result == 0) {
        result = rte_eth_dev_adjust_nb_rx_tx_desc((uint16_t)port, &receive, &transmit);
    }
    for (int32_t queue = 0; result == 0 && queue < queues; queue++) {
        result = rte_eth_rx_queue_setup((uint16_t)port, (uint16_t)queue, receive, SOCKET_ID_ANY, NULL, from);
        if (result == 0) {
            result = rte_eth_tx_queue_setup((uint16_t)port, (uint16_t)queue, transmit, SOCKET_ID_ANY, NULL);
        }
    }
    if (result == 0) {
        result = rte_eth_dev_start((uint16_t)port);
    }
    if (result == 0) {
        queuesOf[port] = (uint16_t)queues;
        isStarted[port] = true;
    }
    return result;
}

/* Stops and removes a port; no thread may be in a call for it. */
EXPORT int32_t metaroce_port_close(int32_t port) {
    if (!isPort(port)) {
        return -EINVAL;
    }
    if (isStarted[port]) {
        isStarted[port] = false;
        rte_eth_dev_stop((uint16_t)port);
    }
    return rte_eth_dev_close((uint16_t)port);
}

/* Four numbers at `out`: MAC address (low 48 bits), MTU, longest frame the driver states, 1 if the link is up. */
EXPORT int32_t metaroce_port_info(int32_t port, int64_t out) {
    if (!isPort(port) || out == 0) {
        return -EINVAL;
    }
    int64_t *numbers = (int64_t *)(uintptr_t)out;
    struct rte_ether_addr mac;
    struct rte_eth_dev_info info;
    uint16_t mtu = 0;
    int result = rte_eth_dev_info_get((uint16_t)port, &info);
    if (result == 0) {
        result = rte_eth_macaddr_get((uint16_t)port, &mac);
    }
    if (result != 0) {
        return result;
    }
    rte_eth_dev_get_mtu((uint16_t)port, &mtu);
    numbers[0] = 0;
    for (int i = 0; i < RTE_ETHER_ADDR_LEN; i++) {
        numbers[0] = numbers[0] << 8 | mac.addr_bytes[i];
    }
    numbers[1] = mtu;
    numbers[2] = info.max_rx_pktlen;
    struct rte_eth_link link;
    numbers[3] = rte_eth_link_get_nowait((uint16_t)port, &link) == 0 && link.link_status == RTE_ETH_LINK_UP;
    return 0;
}

/* 1 if the link is up, 0 if not. */
EXPORT int32_t metaroce_link_is_up(int32_t port) {
    struct rte_eth_link link;
    if (!isPort(port)) {
        return -EINVAL;
    }
    return rte_eth_link_get_nowait((uint16_t)port, &link) == 0 && link.link_status == RTE_ETH_LINK_UP;
}

/* Eight numbers at `out`: packets in, out, bytes in, out, missed, errors in, errors out, receives without a buffer. */
EXPORT int32_t metaroce_port_statistics(int32_t port, int64_t out) {
    struct rte_eth_stats all;
    if (!isPort(port) || out == 0) {
        return -EINVAL;
    }
    int result = rte_eth_stats_get((uint16_t)port, &all);
    if (result == 0) {
        const uint64_t numbers[] = {
            all.ipackets, all.opackets, all.ibytes, all.obytes, all.imissed, all.ierrors, all.oerrors, all.rx_nombuf};
        memcpy((void *)(uintptr_t)out, numbers, sizeof numbers);
    }
    return result;
}

/* Fills handle[], data[] and length[] with up to `capacity` frames; frames in several segments are freed and not counted. */
EXPORT int32_t metaroce_receive(int32_t port, int32_t queue, int64_t block, int32_t capacity) {
    if (!isQueue(port, queue) || !isBurst(block, capacity, 0)) {
        return -EINVAL;
    }
    struct rte_mbuf **mbufs = handles(block);
    uint64_t *data = datas(block, capacity);
    uint32_t *length = lengths(block, capacity);
    int32_t received = rte_eth_rx_burst((uint16_t)port, (uint16_t)queue, mbufs, (uint16_t)capacity);
    int32_t kept = 0;
    for (int32_t i = 0; i < received; i++) {
        struct rte_mbuf *mbuf = mbufs[i];
        if (mbuf->nb_segs != 1) {
            rte_pktmbuf_free(mbuf);
            continue;
        }
        mbufs[kept] = mbuf;
        data[kept] = (uint64_t)rte_pktmbuf_mtod(mbuf, uintptr_t);
        length[kept++] = mbuf->data_len;
    }
    return kept;
}

/* Hands the first `count` frames to the device; those accepted are the device's. A frame outside its buffer: -ERANGE, none sent. */
EXPORT int32_t metaroce_transmit(int32_t port, int32_t queue, int64_t block, int32_t capacity, int32_t count) {
    if (!isQueue(port, queue) || !isBurst(block, capacity, count)) {
        return -EINVAL;
    }
    struct rte_mbuf **mbufs = handles(block);
    const uint64_t *data = datas(block, capacity);
    const uint32_t *length = lengths(block, capacity);
    for (int32_t i = 0; i < count; i++) {
        struct rte_mbuf *mbuf = mbufs[i];
        if (mbuf == NULL) {
            return -EINVAL;
        }
        uint64_t offset = data[i] - (uint64_t)(uintptr_t)mbuf->buf_addr;
        if (offset > mbuf->buf_len || length[i] > mbuf->buf_len - offset) {
            return -ERANGE;
        }
        mbuf->data_off = (uint16_t)offset;
        mbuf->data_len = (uint16_t)length[i];
        mbuf->pkt_len = length[i];
    }
    return rte_eth_tx_burst((uint16_t)port, (uint16_t)queue, mbufs, (uint16_t)count);
}

/* Takes up to `count` buffers: handle[] and data[] (behind the headroom); fewer when the pool has fewer. */
EXPORT int32_t metaroce_allocate(int64_t pool, int64_t block, int32_t capacity, int32_t count) {
    struct rte_mempool *from = (struct rte_mempool *)(uintptr_t)pool;
    if (!isPool(from) || !isBurst(block, capacity, count)) {
        return -EINVAL;
    }
    struct rte_mbuf **mbufs = handles(block);
    uint64_t *data = datas(block, capacity);
    int32_t granted = 0;
    if (rte_pktmbuf_alloc_bulk(from, mbufs, (unsigned)count) == 0) {
        granted = count;
    } else {
        while (granted < count && (mbufs[granted] = rte_pktmbuf_alloc(from)) != NULL) {
            granted++;
        }
    }
    for (int32_t i = 0; i < granted; i++) {
        data[i] = (uint64_t)rte_pktmbuf_mtod(mbufs[i], uintptr_t);
    }
    return granted;
}

/* Gives the first `count` buffers back to their pools. */
EXPORT int32_t metaroce_free(int64_t block, int32_t capacity, int32_t count) {
    if (!isBurst(block, capacity, count)) {
        return -EINVAL;
    }
    struct rte_mbuf **mbufs = handles(block);
    for (int32_t i = 0; i < count; i++) {
        if (mbufs[i] != NULL) {
            rte_pktmbuf_free(mbufs[i]);
        }
    }
    return 0;
}
