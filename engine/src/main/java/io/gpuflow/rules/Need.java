package io.gpuflow.rules;

import io.gpuflow.facts.Fact;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fact without which a rule's silence means nothing.
 *
 * @param type simple name of the fact record
 * @param component the component that must be known in at least one of them, or null
 * @param named what the record's first component must be, for records that hold many things ({@code
 *     Limit(shm_size)}), or null
 */
public record Need(String type, String component, String named) {
    private static final Pattern FORM = Pattern.compile("(\\w+)(?:\\(([^)]*)\\))?(?:\\.(\\w+))?");

    /**
     * Reads {@code Type}, {@code Type.component}, {@code Type(name)} or null when it is neither.
     */
    public static Need parse(String text) {
        Matcher m = FORM.matcher(text.strip());
        return m.matches() ? new Need(m.group(1), m.group(3), m.group(2)) : null;
    }

    /** Whether this fact satisfies the need. */
    public boolean metBy(Fact fact) {
        if (!fact.getClass().getSimpleName().equals(type)) {
            return false;
        }
        if (named != null && !named.equals(String.valueOf(FactFields.first(fact)))) {
            return false;
        }
        return component == null || FactFields.get(fact, component) != null;
    }

    /** Whether an Unknown or Known about {@code what} speaks of this need. */
    public boolean spokenOfBy(String what) {
        return what.equals(type)
                || (component != null && what.equals(type + "." + component))
                || (named != null
                        && (what.equals(type + "." + named)
                                || what.equals(type + "(" + named + ")")));
    }

    @Override
    public String toString() {
        return type
                + (named == null ? "" : "(" + named + ")")
                + (component == null ? "" : "." + component);
    }
}
