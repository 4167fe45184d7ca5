// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.fabric;

/** Something that has at most one pending event: a link's next arrival, a host's next turn, a timer. */
@FunctionalInterface
public interface EventSource {
    /** The moment it asked for has come; it asks again if there will be another. */
    void onEvent(long nowPs);
}
