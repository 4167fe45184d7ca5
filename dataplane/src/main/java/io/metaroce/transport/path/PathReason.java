// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.path;

/** Why a path changed its state. */
public enum PathReason {
    ANSWERED,
    TIMEOUTS,
    SIBLING_EVIDENCE,
    CONGESTION,
    IDLE_EPOCH,
    PROBES_ANSWERED,
    PLANE_DOWN,
    PLANE_UP,
    OPERATOR,
    UNREPAIRABLE
}
