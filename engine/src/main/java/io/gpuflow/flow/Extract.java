package io.gpuflow.flow;

import com.google.re2j.Pattern;
import java.util.List;
import java.util.Map;

/**
 * Outputs taken out of what the user's own tool prints on its standard output.
 *
 * @param patterns each named group is an output; the first match in the text counts
 * @param types of the named groups; text where none is given
 * @param json JSON pointers by output name; the output is then one JSON document
 */
public record Extract(
        List<Pattern> patterns, Map<String, ValueType> types, Map<String, String> json) {

    /** How the text of a group is read. */
    public enum ValueType {
        TEXT,
        INT,
        DOUBLE,
        BOOL;

        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }
}
