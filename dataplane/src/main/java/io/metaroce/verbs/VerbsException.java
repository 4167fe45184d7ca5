// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

/** A device refused to create or register something; the message names the limit or the rule and both its numbers. */
public final class VerbsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public VerbsException(String message) {
        super(message);
    }
}
