// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

/** Which congestion controller a connection's paths get. */
public enum CongestionChoice {
    /** Windows grow additively and are cut by ECN marks. */
    ECN_AIMD,
    /** Windows stay what they are at first: for measurements on a fabric one owns alone. */
    FIXED_WINDOW
}
