// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.recovery;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Chapter 5's rule written down once more, with plain sets and times that never wrap: what is sent, what is acknowledged,
 * what is lost (MOP-LOSS-1, MOP-LOSS-2, MOP-LOSS-4, MOP-LOSS-12 to MOP-LOSS-14).
 */
final class LossModel {
    private static final int GUARD_ECHOES = 3;

    /** One packet from its first transmission on. */
    static final class Packet {
        final int length;
        long lastSent;
        int transmissions = 1;
        boolean isLost;

        Packet(int length, long lastSent) {
            this.length = length;
            this.lastSent = lastSent;
        }
    }

    final TreeMap<Integer, Packet> unacknowledged = new TreeMap<>();
    private final TreeSet<Long> echoes = new TreeSet<>();
    int next;
    private int cleanLossesWanted;

    void onSent(int length, long time) {
        unacknowledged.put(next++, new Packet(length, time));
    }

    void onSentAgain(int sequence, long time) {
        Packet packet = packet(sequence);
        packet.isLost = false;
        packet.lastSent = time;
        packet.transmissions++;
    }

    /** Returns the packets acknowledged for the first time. */
    Set<Integer> onAcknowledged(int nextExpected, Collection<Integer> sacked) {
        Set<Integer> first = new HashSet<>(unacknowledged.headMap(nextExpected).keySet());
        sacked.stream().filter(unacknowledged::containsKey).forEach(first::add);
        first.forEach(unacknowledged::remove);
        return first;
    }

    /** Returns whether the echo is later than all before; an earlier one is no evidence of its own. */
    boolean onEcho(long time) {
        if (!echoes.isEmpty() && time <= echoes.last()) {
            return false;
        }
        return echoes.add(time);
    }

    void onSpurious() {
        cleanLossesWanted = 16;
    }

    boolean isGuarded() {
        return cleanLossesWanted > 0;
    }

    /** Returns the packets newly lost. */
    List<Integer> detect(long now, long roundTrip) {
        List<Integer> lost = new ArrayList<>();
        unacknowledged.forEach((sequence, packet) -> {
            int later = echoes.tailSet(packet.lastSent, false).size();
            boolean isProven = isGuarded() ? later >= GUARD_ECHOES && now - packet.lastSent > roundTrip : later >= 1;
            if (isProven && !packet.isLost) {
                lost.add(sequence);
            }
        });
        lost.forEach(sequence -> packet(sequence).isLost = true);
        cleanLossesWanted = Math.max(0, cleanLossesWanted - lost.size());
        return lost;
    }

    Set<Integer> lost() {
        Set<Integer> lost = new TreeSet<>();
        unacknowledged.forEach((sequence, packet) -> {
            if (packet.isLost) {
                lost.add(sequence);
            }
        });
        return lost;
    }

    long inFlightBytes() {
        return unacknowledged.values().stream()
                .filter(packet -> !packet.isLost)
                .mapToLong(packet -> packet.length)
                .sum();
    }

    Packet packet(int sequence) {
        Packet packet = unacknowledged.get(sequence);
        if (packet == null) {
            throw new IllegalArgumentException("not outstanding: " + sequence);
        }
        return packet;
    }
}
