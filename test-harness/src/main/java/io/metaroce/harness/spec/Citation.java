// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.spec;

/**
 * A place that names a rule.
 *
 * @param file relative to the root of the source tree
 * @param line from 1
 */
record Citation(String file, int line) {
    /** File name and line, as a person would say it. */
    String brief() {
        return file.substring(file.lastIndexOf('/') + 1) + ':' + line;
    }
}
