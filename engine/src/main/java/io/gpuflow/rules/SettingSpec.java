package io.gpuflow.rules;

import io.gpuflow.facts.Setting;
import java.util.List;

/**
 * A threshold that a rule declares and a site may change.
 *
 * @param type number, share (0 to 1), seconds, bytes, flag, text or list
 * @param unit what a number counts, for people; may be empty
 * @param number default of a numeric type or a flag (1 or 0)
 * @param text default of the type text
 * @param list default of the type list
 * @param min least number allowed, −∞ when unbounded
 * @param max greatest number allowed, +∞ when unbounded
 */
public record SettingSpec(
        String name,
        String type,
        String unit,
        double number,
        String text,
        List<String> list,
        double min,
        double max,
        String help) {
    public static final List<String> TYPES =
            List.of("number", "share", "seconds", "bytes", "flag", "text", "list");

    public Setting asDefault(String rule) {
        return new Setting(rule, name, number, text, list);
    }
}
