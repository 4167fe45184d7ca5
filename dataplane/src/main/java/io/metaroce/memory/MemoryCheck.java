// SPDX-License-Identifier: Apache-2.0
package io.metaroce.memory;

/** The verdict on one access to registered memory. */
public enum MemoryCheck {
    OK,
    /** No registration has this key now: never registered, deregistered, or of an older generation. */
    UNKNOWN_KEY,
    /** The registration belongs to another protection domain. */
    DOMAIN,
    /** The registration does not permit this kind of access. */
    PERMISSION,
    /** Some byte lies outside the registration, or the range wraps. */
    RANGE
}
