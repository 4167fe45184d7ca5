// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.decode;

import java.util.Map;

/**
 * A line for people.
 *
 * <pre>
 *   frame      time in s  source > destination ECN type key=value ...
 *      17    0.000123456  192.0.2.1:49153 > 192.0.2.2:4795 ECT0 WRITE path=3 epoch=0 ... crc=ok
 * </pre>
 */
final class LineText {
    private static final int FRAME_WIDTH = 6;
    private static final int TIME_WIDTH = 14;
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final StringBuilder text = new StringBuilder();

    String of(Line line) {
        text.setLength(0);
        padded(String.valueOf(line.get(Field.FRAME)), FRAME_WIDTH);
        padded(line.get(Field.TIME_NS) instanceof Long timeNs ? seconds(timeNs) : "-", 1 + TIME_WIDTH);
        text.append(' ');
        if (line.has(Field.SOURCE)) {
            text.append(' ').append(line.get(Field.SOURCE)).append(" > ").append(line.get(Field.DESTINATION));
            text.append(' ').append(line.get(Field.ECN));
        }
        if (line.has(Field.TYPE)) {
            text.append(' ').append(line.get(Field.TYPE));
        }
        for (Map.Entry<Field, Object> entry : line.values().entrySet()) {
            said(entry.getKey(), entry.getValue());
        }
        return text.toString();
    }

    private void said(Field field, Object value) {
        switch (field) {
            case FRAME, TIME_NS, CAPTURED_AT_NS, SOURCE, DESTINATION, ECN, TYPE -> {}
            case CRC -> text.append(value.equals("unchecked") ? " truncated, CRC not checked" : " crc=" + value);
            case PROBLEM -> text.append(" ! ").append(value);
            case COMMENT -> text.append(" # ").append(value);
            default -> text.append(' ').append(field.key()).append('=').append(value);
        }
    }

    private static String seconds(long ns) {
        String fraction =
                Long.toString(NS_PER_SECOND + Math.abs(ns % NS_PER_SECOND)).substring(1);
        return (ns < 0 ? "-" : "") + Math.abs(ns / NS_PER_SECOND) + '.' + fraction;
    }

    private void padded(String value, int width) {
        text.append(" ".repeat(Math.max(0, width - value.length()))).append(value);
    }
}
