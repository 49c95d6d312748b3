package io.gpuflow.flow;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What an experiment changes of a step at one point of its matrix.
 *
 * @param before the step as it stands
 * @param after with the experiment's variables and inputs
 * @param settings what configuration files set
 * @param environment of the caller, which the step inherits
 */
record Change(
        Experiment experiment,
        Prepared before,
        Prepared after,
        FileSettings settings,
        Map<String, String> environment) {

    /** What the experiment itself unsets is undone where a file sets it, too. */
    static Change of(
            Experiment experiment,
            Prepared before,
            Prepared after,
            FileSettings settings,
            Map<String, String> environment) {
        Map<String, String> env = new LinkedHashMap<>(after.env());
        env.replaceAll(
                (name, value) ->
                        value == null && experiment.env().containsKey(name)
                                ? settings.outranking(name)
                                : value);
        return new Change(experiment, before, after.with(env), settings, environment);
    }

    /** Variables that the command sees differently, with their new values; null for unset. */
    Map<String, String> variables() {
        Map<String, String> changed = new LinkedHashMap<>();
        after.env()
                .forEach(
                        (name, value) -> {
                            if (!Objects.equals(value, seenBefore(name))) {
                                changed.put(name, value);
                            }
                        });
        return changed;
    }

    private String seenBefore(String variable) {
        return before.env().containsKey(variable)
                ? before.env().get(variable)
                : environment.get(variable);
    }

    /** {@code NCCL_P2P_DISABLE=1, NCCL_DEBUG unset}. */
    String words() {
        List<String> words = new ArrayList<>();
        variables().forEach((name, value) -> words.add(words(name, value)));
        for (String name : experiment.with().keySet()) {
            words.add(name + " " + after.with().get(name));
        }
        return String.join(", ", words);
    }

    private String words(String name, String value) {
        if (value == null) {
            return name + " unset";
        }
        String file = settings.of(name);
        return name + "=" + value + (file == null ? "" : " (it outranks " + file + ")");
    }

    /** Why trying it would show nothing, or null. */
    String idle() {
        Map<String, String> own = new LinkedHashMap<>(after.env());
        own.keySet().retainAll(experiment.env().keySet());
        String kept = settings.keeps(own);
        if (kept != null) {
            return kept;
        }
        boolean same = after.with().equals(before.with()) && variables().isEmpty();
        return same ? "it would change nothing: this is how the step ran already" : null;
    }
}
