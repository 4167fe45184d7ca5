// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import java.util.Locale;

/** Enum constants as lower-case words for events and metrics, made once, so that a lane only hands references on. */
final class Words {
    private static final ClassValue<String[]> WORDS = new ClassValue<>() {
        @Override
        protected String[] computeValue(Class<?> type) {
            Object[] constants = type.getEnumConstants();
            String[] words = new String[constants.length];
            for (int i = 0; i < words.length; i++) {
                words[i] = ((Enum<?>) constants[i]).name().toLowerCase(Locale.ROOT);
            }
            return words;
        }
    };

    private Words() {}

    static String of(Enum<?> constant) {
        return WORDS.get(constant.getDeclaringClass())[constant.ordinal()];
    }
}
