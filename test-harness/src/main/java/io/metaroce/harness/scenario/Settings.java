// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.scenario;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A value for every parameter: what was set, or the standard. Immutable. */
public final class Settings {
    private final EnumMap<Parameter, String> values;

    private Settings(EnumMap<Parameter, String> values) {
        this.values = values;
    }

    public static Settings standard() {
        return new Settings(new EnumMap<>(Parameter.class));
    }

    /** The same with one value changed. @throws ScenarioException if it cannot be */
    public Settings with(Parameter parameter, String value) {
        @Nullable String problem = parameter.problemWith(value);
        if (problem != null) {
            throw new ScenarioException(problem);
        }
        EnumMap<Parameter, String> changed = new EnumMap<>(Parameter.class);
        changed.putAll(values);
        changed.put(parameter, value);
        return new Settings(changed);
    }

    /** The same with more values, by their keys in the file. */
    public Settings with(Map<String, String> byKey) {
        Settings changed = this;
        for (Map.Entry<String, String> entry : byKey.entrySet()) {
            @Nullable Parameter parameter = Parameter.of(entry.getKey());
            if (parameter == null) {
                throw new ScenarioException("nothing is called " + entry.getKey());
            }
            changed = changed.with(parameter, entry.getValue());
        }
        return changed;
    }

    public String word(Parameter parameter) {
        return values.getOrDefault(parameter, parameter.standard());
    }

    public double number(Parameter parameter) {
        return Double.parseDouble(word(parameter));
    }

    public int whole(Parameter parameter) {
        return (int) number(parameter);
    }

    public boolean isOn(Parameter parameter) {
        return word(parameter).equals("on");
    }

    boolean is(Parameter parameter, String word) {
        return word(parameter).equals(word);
    }
}
