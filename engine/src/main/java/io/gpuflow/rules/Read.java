package io.gpuflow.rules;

import io.gpuflow.facts.Fact;
import java.util.Map;

/**
 * A fact that must be there for a rule's conditions to match, as far as it can be told from the
 * rule's text.
 *
 * @param type simple name of the fact record
 * @param equal components that the rule compares with a constant text, and that text
 */
public record Read(String type, Map<String, String> equal) {

    /** Whether the fact is of the type and has the constants. */
    boolean metBy(Fact fact) {
        if (!fact.getClass().getSimpleName().equals(type)) {
            return false;
        }
        for (Map.Entry<String, String> constant : equal.entrySet()) {
            if (FactFields.get(fact, constant.getKey()) instanceof String text
                    && !text.equals(constant.getValue())) {
                return false;
            }
        }
        return true;
    }
}
