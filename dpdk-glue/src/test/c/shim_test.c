// SPDX-License-Identifier: Apache-2.0
/* The shim by itself, for the sanitizers: wrong arguments are numbers, and frames go round a ring without a byte read or
 * written outside a buffer. Built and run by shim_test.sh. */
#include "../../main/c/metaroce_dpdk.c"

#include <stdio.h>
#include <stdlib.h>

#define CAPACITY 32
#define ROUNDS 1000

static int failures;

static void expect(const char *what, int64_t is, int64_t shouldBe) {
    if (is != shouldBe) {
        fprintf(stderr, "FAIL %s: %lld instead of %lld\n", what, (long long)is, (long long)shouldBe);
        failures++;
    }
}

static int64_t text(const char *words) {
    return (int64_t)(uintptr_t)words;
}

int main(void) {
    static int64_t block[9 * CAPACITY];
    const int64_t burst = (int64_t)(uintptr_t)block;
    int64_t numbers[8];
    const int64_t out = (int64_t)(uintptr_t)numbers;

    expect("port before EAL", metaroce_port_by_name(text("net_ring0")), -EINVAL);
    expect("pool before EAL", metaroce_pool_create(text("early"), 64, 0, 2048), -EINVAL);
    expect("probe before EAL", metaroce_device_probe(text("net_ring0")), -EINVAL);
    expect("no arguments", metaroce_eal_init(0, 1), -EINVAL);
    const char *words[] = {"shim_test", "--no-huge", "--no-pci", "-m", "128", "--no-shconf", "--no-telemetry",
                           "--iova-mode=va", "--lcores", "0@0", "--log-level=lib.eal:warning"};
    expect("EAL", metaroce_eal_init((int64_t)(uintptr_t)words, (int32_t)(sizeof words / sizeof *words)), 0);
    expect("EAL again", metaroce_eal_init((int64_t)(uintptr_t)words, 1), -EALREADY);

    expect("device", metaroce_device_probe(text("net_ring0")), 0);
    expect("device again", metaroce_device_probe(text("net_ring0")), 0);
    const int32_t port = metaroce_port_by_name(text("net_ring0"));
    expect("no such device", metaroce_port_by_name(text("net_ring9")), -ENODEV);
    const int64_t pool = metaroce_pool_create(text("pool"), 255, 0, 2048 + RTE_PKTMBUF_HEADROOM);
    expect("start without a pool", metaroce_port_start(port, 1, 64, 0), -EINVAL);
    expect("receive before start", metaroce_receive(port, 0, burst, CAPACITY), -EINVAL);
    expect("start", metaroce_port_start(port, 1, 64, pool), 0);
    expect("start again", metaroce_port_start(port, 1, 64, pool), -EINVAL);
    expect("information", metaroce_port_info(port, out), 0);
    expect("link", metaroce_link_is_up(port), 1);
    expect("no pool", metaroce_allocate(burst, burst, CAPACITY, 1), -EINVAL);
    expect("no block", metaroce_receive(port, 0, 0, CAPACITY), -EINVAL);
    expect("no queue", metaroce_receive(port, 1, burst, CAPACITY), -EINVAL);

    for (int round = 0; round < ROUNDS; round++) {
        const int32_t granted = metaroce_allocate(pool, burst, CAPACITY, CAPACITY);
        expect("buffers", granted, CAPACITY);
        for (int32_t i = 0; i < granted; i++) {
            lengths(burst, CAPACITY)[i] = 64 + (uint32_t)((round + i) % 1900);
            memset((void *)(uintptr_t)datas(burst, CAPACITY)[i], i, lengths(burst, CAPACITY)[i]);
        }
        expect("sent", metaroce_transmit(port, 0, burst, CAPACITY, granted), CAPACITY);
        const int32_t received = metaroce_receive(port, 0, burst, CAPACITY);
        expect("received", received, CAPACITY);
        for (int32_t i = 0; i < received; i++) {
            expect("length", lengths(burst, CAPACITY)[i], 64 + (round + i) % 1900);
            expect("byte", *(uint8_t *)(uintptr_t)datas(burst, CAPACITY)[i], i);
        }
        expect("given back", metaroce_free(burst, CAPACITY, received), 0);
    }
    int32_t held = 0;
    static int64_t blocks[16][9 * CAPACITY];
    for (int i = 0; i < 16; i++) {
        held += metaroce_allocate(pool, (int64_t)(uintptr_t)blocks[i], CAPACITY, CAPACITY);
    }
    expect("an exhausted pool grants what it has", held, 255);
    for (int i = 0; i < 16; i++) {
        const int32_t in_block = held > CAPACITY ? CAPACITY : held;
        metaroce_free((int64_t)(uintptr_t)blocks[i], CAPACITY, in_block);
        held -= in_block;
    }
    expect("statistics", metaroce_port_statistics(port, out), 0);
    expect("packets in", numbers[0], ROUNDS * CAPACITY);
    expect("free buffers", metaroce_pool_available(pool), 255);
    expect("close", metaroce_port_close(port), 0);
    expect("close again", metaroce_port_close(port), -EINVAL);
    expect("receive after close", metaroce_receive(port, 0, burst, CAPACITY), -EINVAL);
    expect("pool freed", metaroce_pool_free(pool), 0);
    expect("pool freed again", metaroce_pool_free(pool), -EINVAL);
    puts(failures == 0 ? "ok" : "failed");
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
