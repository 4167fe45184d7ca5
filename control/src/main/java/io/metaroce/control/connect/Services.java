// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** The services of this node by name, and the threads they run on. Safe for any thread. */
final class Services {
    private final Map<String, StreamListener> byName = new ConcurrentHashMap<>();
    private final Executor executor;

    /**
     * @param executor bounded: rejects when too much waits
     */
    Services(Executor executor) {
        this.executor = executor;
    }

    void add(String name, StreamListener listener) {
        if (!ControlCodec.SERVICE.matcher(name).matches()) {
            throw new IllegalArgumentException("a service is named by lower-case letters, digits, . _ -: " + name);
        }
        if (byName.putIfAbsent(name, listener) != null) {
            throw new IllegalArgumentException("service " + name + " is served already");
        }
    }

    void remove(String name) {
        byName.remove(name);
    }

    @Nullable
    StreamListener find(String name) {
        return byName.get(name);
    }

    /** Runs work of a service; false when too much waits already. */
    boolean run(Runnable work) {
        try {
            executor.execute(work);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }
}
