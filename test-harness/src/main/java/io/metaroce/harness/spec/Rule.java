// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.spec;

/**
 * One numbered rule of the specification.
 *
 * @param id such as MOP-RCV-8
 * @param strength MUST, SHOULD or MAY
 * @param text the rule's words, in Markdown
 * @param chapter file name of its chapter
 * @param line where it stands there, from 1
 */
record Rule(String id, String strength, String text, String chapter, int line) {
    /** The letters between the dashes. */
    String area() {
        return id.substring(id.indexOf('-') + 1, id.lastIndexOf('-'));
    }

    boolean isObligation() {
        return strength.equals("MUST");
    }
}
