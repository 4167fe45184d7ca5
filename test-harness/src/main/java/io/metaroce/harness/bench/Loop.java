// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.bench;

/** The bare loops that {@code bench loop} runs, two threads on loopback. */
enum Loop {
    /** Runs of eight packets of 4 KiB as one message, each payload copied to its place: no protocol at all. */
    RAW_GSO8("raw_gso8"),
    /** One datagram of 4 KiB for each call of a DatagramChannel. */
    RAW_CHANNEL("raw_channel"),
    /** 64 bytes to and fro, both sides spinning. */
    PING_PONG("ping_pong"),
    /** Aeron's Java driver, its packets as long as ours. */
    AERON_4096("aeron_4096"),
    AERON_8192("aeron_8192");

    private final String word;

    Loop(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }

    static Loop of(String word) {
        for (Loop loop : values()) {
            if (loop.word.equals(word)) {
                return loop;
            }
        }
        throw new IllegalArgumentException("no loop is called " + word);
    }
}
