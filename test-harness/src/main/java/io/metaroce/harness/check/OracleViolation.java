// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.check;

/** Something that must never be true was. */
public final class OracleViolation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public OracleViolation(String what) {
        super(what);
    }
}
