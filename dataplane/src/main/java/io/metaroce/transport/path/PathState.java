// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.path;

/** The life of a path. */
public enum PathState {
    /** Not yet answered anything. */
    OPENING,
    ACTIVE,
    /** Marked or delayed; still carries data. */
    CONGESTED,
    /** Two timeouts in a row: carries only what it has, and probes. */
    SUSPECT,
    /** Silent while siblings live: everything in flight has moved away. */
    DEAD,
    /** Dead, and being probed at growing intervals. */
    PROBING,
    /** Taken out by its plane or by the operator. */
    DENIED
}
