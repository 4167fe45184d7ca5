// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.decode;

/** Untrusted text for a terminal: no control, no bidirectional override, no line end survives. */
final class SafeText {
    private static final int CHARACTERS_MAX = 4096;

    private SafeText() {}

    static String of(String text) {
        StringBuilder safe = new StringBuilder();
        int count = Math.min(text.length(), CHARACTERS_MAX);
        for (int i = 0; i < count; i++) {
            char c = text.charAt(i);
            boolean isUnsafe = Character.isISOControl(c)
                    || Character.getType(c) == Character.FORMAT
                    || Character.getType(c) == Character.LINE_SEPARATOR
                    || Character.getType(c) == Character.PARAGRAPH_SEPARATOR;
            safe.append(isUnsafe ? ' ' : c);
        }
        return safe.toString();
    }
}
