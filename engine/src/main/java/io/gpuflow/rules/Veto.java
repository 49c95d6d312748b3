package io.gpuflow.rules;

import io.gpuflow.facts.Verdict;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Something that must not be done or advised: an experiment ({@code p2p-off}), a variable set at
 * all or to one value ({@code NCCL_P2P_DISABLE}, {@code NCCL_P2P_DISABLE=1}), or a position that a
 * rule may claim ({@code tensor_parallel=all}).
 */
public sealed interface Veto {
    /** The experiment of this name. */
    record OfExperiment(String name) implements Veto {
        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * Setting a variable.
     *
     * @param value null for any
     */
    record OfVariable(String name, String value) implements Veto {
        @Override
        public String toString() {
            return value == null ? name : name + "=" + value;
        }
    }

    /** What a rule may claim: {@code claims:} in its rule.yaml. */
    record OfClaim(String topic, String position) implements Veto {
        @Override
        public String toString() {
            return topic + "=" + position;
        }
    }

    /** The forms: experiment, VARIABLE, VARIABLE=VALUE, topic=position. */
    Pattern FORM =
            Pattern.compile("([a-z][a-z0-9-]*)|([A-Z_][A-Z0-9_]*)(?:=(.*))?|([a-z_]+)=([a-z_-]+)");

    /** Reads one of the forms; null for anything else. */
    static Veto parse(String text) {
        Matcher m = FORM.matcher(text.strip());
        if (!m.matches()) {
            return null;
        }
        if (m.group(1) != null) {
            return new OfExperiment(m.group(1));
        }
        return m.group(2) != null
                ? new OfVariable(m.group(2), m.group(3))
                : new OfClaim(m.group(4), m.group(5));
    }

    /** Whether it forbids an experiment that sets these variables; null values unset one. */
    default boolean forbids(String experiment, Map<String, String> env) {
        return this instanceof OfExperiment e && e.name.equals(experiment) || forbids(env);
    }

    /** Whether it forbids setting these variables; a null value unsets one, which is no setting. */
    default boolean forbids(Map<String, String> env) {
        if (!(this instanceof OfVariable v)) {
            return false;
        }
        String value = env.get(v.name);
        return value != null && (v.value == null || Objects.equals(v.value, value));
    }

    /** Whether it forbids a remedy. */
    default boolean forbids(Verdict.Fix fix) {
        return forbids(fix.env());
    }

    /** Whether it forbids what a rule claims. */
    default boolean forbidsClaim(Map<String, String> claims) {
        return this instanceof OfClaim c && c.position.equals(claims.get(c.topic));
    }
}
