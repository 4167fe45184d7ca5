// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

/** MOP-CTL-25. Text from a peer made safe to be shown: one line, no control characters, bounded. */
final class SafeText {
    private static final int LENGTH_MAX = 256;

    private SafeText() {}

    static String line(String text) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), LENGTH_MAX));
        text.codePoints().limit(LENGTH_MAX).forEach(c -> line.appendCodePoint(isShowable(c) ? c : '?'));
        return line.toString();
    }

    private static boolean isShowable(int c) {
        int type = Character.getType(c);
        return !Character.isISOControl(c)
                && type != Character.SURROGATE
                && type != Character.FORMAT
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR;
    }
}
