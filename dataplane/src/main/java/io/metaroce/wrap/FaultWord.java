// SPDX-License-Identifier: Apache-2.0
package io.metaroce.wrap;

import org.jspecify.annotations.Nullable;

/**
 * The words of a fault plan, {@code word=value,word=value,...}: one row per word, which help texts and messages are made of.
 * A RATE is a percentage ({@code 1%}), a fraction ({@code 0.01}) or a quotient ({@code 1/100}); a TIME is a number with
 * {@code ns}, {@code us}, {@code ms} or {@code s}.
 */
public enum FaultWord {
    LOSS("loss", "RATE", "packets that vanish"),
    REORDER("reorder", "RATE[/DEPTH]", "packets held back until DEPTH (1-64, default 3) later ones have passed"),
    DUP("dup", "RATE", "packets that go twice"),
    CORRUPT("corrupt", "RATE", "packets with one bit turned over"),
    DELAY("delay", "TIME", "time by which every packet is late, at most 1 s"),
    PATH_KILL(
            "path-kill", "PATH[@FROM[-UNTIL]]", "path that carries nothing, at once or between two times; repeatable"),
    SEED("seed", "NUMBER", "where chance starts; the same seed makes the same decisions"),
    SIDE("side", "tx|rx|both", "whether packets sent (default), received or both suffer"),
    ONLY("only", "data|ack", "which packets suffer: those with data, or all the others; a killed path spares none"),
    MTU("mtu", "BYTES", "longer packets vanish, data or not, as on a way whose MTU is smaller than the interfaces'");

    private final String text;
    private final String syntax;
    private final String help;

    FaultWord(String text, String syntax, String help) {
        this.text = text;
        this.syntax = syntax;
        this.help = help;
    }

    /** The word as written. */
    public String text() {
        return text;
    }

    /** What may stand behind the equals sign. */
    public String syntax() {
        return syntax;
    }

    /** What the number counts. */
    public String help() {
        return help;
    }

    static @Nullable FaultWord of(String text) {
        for (FaultWord word : values()) {
            if (word.text.equals(text)) {
                return word;
            }
        }
        return null;
    }
}
