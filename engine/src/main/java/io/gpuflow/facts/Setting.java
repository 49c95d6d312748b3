package io.gpuflow.facts;

import java.util.List;

/**
 * A threshold of a rule, after site policy was applied. Which component holds the value depends on
 * the type that the rule's rule.yaml declares; the others are 0, empty or null.
 *
 * @param number for the types number, share, seconds, bytes; a flag is 1 or 0
 * @param text for the type text
 * @param list for the type list
 */
public record Setting(String rule, String name, double number, String text, List<String> list)
        implements Fact {
    public static Setting number(String rule, String name, double value) {
        return new Setting(rule, name, value, "", List.of());
    }
}
