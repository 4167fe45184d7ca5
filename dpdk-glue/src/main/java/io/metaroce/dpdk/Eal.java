// SPDX-License-Identifier: Apache-2.0
package io.metaroce.dpdk;

import io.metaroce.port.PortException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.jspecify.annotations.Nullable;

/**
 * DPDK's environment, started at most once a process: it can neither be stopped nor tried again, so that the first answer,
 * good or bad, is everybody's. It starts on a thread of its own, because it pins the thread that starts it.
 */
final class Eal {
    private static @Nullable String usedWords;
    private static @Nullable String failure;

    private Eal() {}

    /**
     * Starts EAL, or checks that it runs.
     *
     * @param words arguments of the operator, separated by blanks, before which stand the ones we rely on
     * @throws PortException in one line if it does not run, or runs with other words
     */
    static synchronized Shim start(String words) {
        Shim shim = ShimLoader.load();
        if (usedWords == null) {
            usedWords = words;
            failure = tryToStart(shim, words);
        }
        if (failure != null) {
            throw new PortException(failure);
        }
        if (!words.equals(usedWords)) {
            throw new PortException(
                    "EAL runs with \"" + usedWords + "\" already; give every dpdk port the same eal option");
        }
        return shim;
    }

    private static @Nullable String tryToStart(Shim shim, String words) {
        int[] result = new int[1];
        Thread starter = new Thread(() -> result[0] = initialise(shim, arguments(words)), "metaroce-eal");
        starter.start();
        try {
            starter.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted while EAL started";
        }
        return result[0] == 0
                ? null
                : "EAL did not start (" + DpdkError.text(result[0]) + ") with: " + String.join(" ", arguments(words))
                        + "; its own words are on standard error";
    }

    /** What behaves inside a JVM: no hugepages needed, one lcore that floats over all processors, no helpers. */
    static List<String> arguments(String words) {
        int last = Runtime.getRuntime().availableProcessors() - 1;
        List<String> arguments = new ArrayList<>(List.of(
                "metaroce",
                "--no-shconf",
                "--no-telemetry",
                "--iova-mode=va",
                "--log-level=lib.eal:warning",
                "--lcores",
                "0@(0-" + last + ")"));
        for (String word : words.trim().split("\\s+", -1)) {
            if (!word.isEmpty()) {
                arguments.add(word);
            }
        }
        return arguments;
    }

    private static int initialise(Shim shim, List<String> arguments) {
        // EAL keeps pointers into these for good.
        long array = UnsafeApi.allocateMemory((long) arguments.size() * Long.BYTES);
        for (int i = 0; i < arguments.size(); i++) {
            UnsafeApi.putLong(array + (long) i * Long.BYTES, new NativeText(arguments.get(i)).address());
        }
        return shim.metaroce_eal_init(array, arguments.size());
    }
}
