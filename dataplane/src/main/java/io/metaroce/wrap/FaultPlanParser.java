// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wrap;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads the text of a fault plan. Used once per plan; every complaint says what would have been right. */
final class FaultPlanParser {
    private static final int TEXT_MAX = 4096;
    private static final BigDecimal ONE_PPB = BigDecimal.valueOf(FaultPlan.ONE_PPB);
    private static final String[] UNITS = {"ns", "us", "ms", "s"};
    private static final long[] UNIT_NS = {1, 1_000, 1_000_000, 1_000_000_000};

    /** Longest number taken: far above anything meaningful, far below what would take time to read. */
    private static final int DIGITS_MAX = 20;

    private final Set<FaultWord> seen = EnumSet.noneOf(FaultWord.class);
    private final List<PathKill> pathKills = new ArrayList<>();
    private int lossPpb;
    private int reorderPpb;
    private int reorderDepth = FaultPlan.REORDER_DEPTH_DEFAULT;
    private int dupPpb;
    private int corruptPpb;
    private long delayNs;
    private long seed = FaultPlan.NONE.seed();
    private FaultPlan.Side side = FaultPlan.Side.TX;
    private FaultPlan.Target target = FaultPlan.Target.ALL;
    private int longestBytes;
    private PathSet killedPaths = PathSet.EMPTY;

    FaultPlan parse(String text) {
        if (text.length() > TEXT_MAX) {
            throw new IllegalArgumentException("faults: a plan has at most " + TEXT_MAX + " characters");
        }
        for (String item : text.isBlank() ? new String[0] : text.split(",", -1)) {
            parseItem(item.strip());
        }
        return new FaultPlan(
                lossPpb,
                reorderPpb,
                reorderDepth,
                dupPpb,
                corruptPpb,
                delayNs,
                seed,
                side,
                target,
                killedPaths,
                pathKills,
                longestBytes);
    }

    private void parseItem(String item) {
        int equals = item.indexOf('=');
        String name = (equals < 0 ? item : item.substring(0, equals)).strip();
        FaultWord word = FaultWord.of(name.toLowerCase(Locale.ROOT));
        if (word == null) {
            throw new IllegalArgumentException("faults: unknown word '" + name + "'; " + NearestFaultWord.hint(name));
        }
        if (equals < 0) {
            throw complaint(word, "", "has no value");
        }
        if (!seen.add(word) && word != FaultWord.PATH_KILL) {
            throw complaint(word, item.substring(equals + 1), "stands twice");
        }
        parseValue(word, item.substring(equals + 1).strip().toLowerCase(Locale.ROOT));
    }

    private void parseValue(FaultWord word, String value) {
        switch (word) {
            case LOSS -> lossPpb = rate(word, value);
            case REORDER -> parseReorder(value);
            case DUP -> dupPpb = rate(word, value);
            case CORRUPT -> corruptPpb = rate(word, value);
            case DELAY -> parseDelay(value);
            case PATH_KILL -> parsePathKill(value);
            case SEED -> seed = seed(value);
            case SIDE -> side = choice(word, value, FaultPlan.Side.values());
            case ONLY -> parseOnly(value);
            case MTU -> parseMtu(value);
        }
    }

    private void parseReorder(String value) {
        int slash = value.lastIndexOf('/');
        // 1/100 is a rate, 1%/5 and 0.01/5 carry a depth, 1/100/5 both.
        boolean hasDepth = slash >= 0 && (value.contains("%") || value.contains(".") || value.indexOf('/') != slash);
        reorderPpb = rate(FaultWord.REORDER, hasDepth ? value.substring(0, slash) : value);
        if (hasDepth) {
            reorderDepth = (int) number(FaultWord.REORDER, value.substring(slash + 1), value);
            if (reorderDepth < 1 || reorderDepth > FaultPlan.REORDER_DEPTH_MAX) {
                throw complaint(FaultWord.REORDER, value, "has a depth outside 1-" + FaultPlan.REORDER_DEPTH_MAX);
            }
        }
    }

    private void parseDelay(String value) {
        delayNs = time(FaultWord.DELAY, value, value);
        if (delayNs > FaultPlan.DELAY_NS_MAX) {
            throw complaint(FaultWord.DELAY, value, "is longer than 1s");
        }
    }

    private void parsePathKill(String value) {
        int at = value.indexOf('@');
        long path = number(FaultWord.PATH_KILL, at < 0 ? value : value.substring(0, at), value);
        if (path >= PathSet.PATHS) {
            throw complaint(FaultWord.PATH_KILL, value, "names a path outside 0-" + (PathSet.PATHS - 1));
        }
        if (at < 0) {
            killedPaths = killedPaths.with((int) path);
            return;
        }
        String times = value.substring(at + 1);
        int dash = times.indexOf('-');
        long fromNs = time(FaultWord.PATH_KILL, dash < 0 ? times : times.substring(0, dash), value);
        long untilNs = dash < 0 ? Long.MAX_VALUE : time(FaultWord.PATH_KILL, times.substring(dash + 1), value);
        if (untilNs <= fromNs) {
            throw complaint(FaultWord.PATH_KILL, value, "ends before it begins");
        }
        if (pathKills.size() == FaultPlan.PATH_KILLS_MAX) {
            throw complaint(
                    FaultWord.PATH_KILL, value, "is one more than the " + FaultPlan.PATH_KILLS_MAX + " allowed");
        }
        pathKills.add(new PathKill((int) path, fromNs, untilNs));
    }

    private void parseMtu(String value) {
        long bytes = number(FaultWord.MTU, value, value);
        if (bytes < FaultPlan.LONGEST_BYTES_MIN || bytes > FaultPlan.LONGEST_BYTES_MAX) {
            throw complaint(
                    FaultWord.MTU,
                    value,
                    "is outside " + FaultPlan.LONGEST_BYTES_MIN + "-" + FaultPlan.LONGEST_BYTES_MAX
                            + " bytes of UDP payload");
        }
        longestBytes = (int) bytes;
    }

    private void parseOnly(String value) {
        target = choice(FaultWord.ONLY, value, FaultPlan.Target.values());
        if (target == FaultPlan.Target.ALL) {
            throw complaint(FaultWord.ONLY, value, "is what happens without the word");
        }
    }

    private static <E extends Enum<E>> E choice(FaultWord word, String value, E[] choices) {
        for (E choice : choices) {
            if (choice.name().toLowerCase(Locale.ROOT).equals(value)) {
                return choice;
            }
        }
        throw complaint(word, value, "is none of the choices");
    }

    private static long seed(String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw (IllegalArgumentException)
                    complaint(FaultWord.SEED, value, "is no whole number").initCause(e);
        }
    }

    /** Parts per thousand million, rounded down, but never from something to nothing. */
    private static int rate(FaultWord word, String value) {
        BigDecimal rate;
        int slash = value.indexOf('/');
        if (value.endsWith("%")) {
            rate = decimal(word, value.substring(0, value.length() - 1), value).movePointLeft(2);
        } else if (slash >= 0) {
            BigDecimal divisor = decimal(word, value.substring(slash + 1), value);
            if (divisor.signum() == 0) {
                throw complaint(word, value, "divides by zero");
            }
            rate = decimal(word, value.substring(0, slash), value).divide(divisor, java.math.MathContext.DECIMAL64);
        } else {
            rate = decimal(word, value, value);
        }
        if (rate.compareTo(BigDecimal.ONE) > 0) {
            throw complaint(word, value, "is more than all packets (1 is 100%; write 1% for one in a hundred)");
        }
        int ppb = rate.multiply(ONE_PPB).intValue();
        if (ppb == 0 && rate.signum() > 0) {
            throw complaint(word, value, "is less than one packet in a thousand million");
        }
        return ppb;
    }

    private static long time(FaultWord word, String text, String value) {
        for (int i = 0; i < UNITS.length; i++) {
            String number = text.endsWith(UNITS[i]) ? text.substring(0, text.length() - UNITS[i].length()) : "";
            if (!number.isEmpty() && Character.isDigit(number.charAt(number.length() - 1))) {
                BigDecimal ns = decimal(word, number, value).multiply(BigDecimal.valueOf(UNIT_NS[i]));
                return ns.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue();
            }
        }
        throw complaint(word, value, "has a time without unit");
    }

    private static long number(FaultWord word, String text, String value) {
        if (!text.matches("[0-9]{1,9}")) {
            throw complaint(word, value, "is no number");
        }
        return Long.parseLong(text);
    }

    private static BigDecimal decimal(FaultWord word, String text, String value) {
        if (text.length() > DIGITS_MAX || !text.matches("[0-9]*\\.?[0-9]+")) {
            throw complaint(word, value, "is no number");
        }
        return new BigDecimal(text);
    }

    private static IllegalArgumentException complaint(FaultWord word, String value, String what) {
        String written = value.isEmpty() ? word.text() : word.text() + "=" + value;
        return new IllegalArgumentException("faults: " + written + " " + what + "; write " + word.text() + "="
                + word.syntax() + ": " + word.help());
    }
}
