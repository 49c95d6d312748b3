package io.gpuflow.flow;

import io.gpuflow.expr.Durations;
import io.gpuflow.expr.Nearest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The values of a workflow's inputs: those given, else the defaults. */
public final class Inputs {
    /**
     * @param values by name, plain; null for an input that was left out and may be
     * @param problems what is wrong with those given, a sentence each
     */
    public record Given(Map<String, Object> values, List<String> problems) {}

    private Inputs() {}

    /**
     * Reads {@code -i name=value} for each declared input.
     *
     * @param texts as typed, by name
     */
    public static Given of(Workflow workflow, Map<String, String> texts) {
        List<String> problems = new ArrayList<>();
        Map<String, Object> values = new LinkedHashMap<>();
        for (String name : texts.keySet()) {
            if (!workflow.inputs().containsKey(name)) {
                String hint = Nearest.hint(name, workflow.inputs().keySet());
                String more = hint.isEmpty() ? "; the workflow has no inputs" : "; " + hint;
                problems.add("there is no input " + name + more);
            }
        }
        for (Input input : workflow.inputs().values()) {
            String text = texts.get(input.name());
            if (text != null) {
                values.put(input.name(), value(input, text, problems));
            } else if (input.required()) {
                String help = input.help().isEmpty() ? "" : " (" + input.help() + ")";
                problems.add("give -i " + input.name() + "=…" + help);
            } else {
                values.put(input.name(), input.fallback());
            }
        }
        return new Given(values, problems);
    }

    private static Object value(Input input, String text, List<String> problems) {
        Object value = InputValue.parse(input.type(), text);
        String shown = input.secret() ? "its value" : text;
        if (value == null) {
            String wanted = InputValue.words(input.type());
            problems.add("input " + input.name() + ": " + shown + " is not " + wanted);
        } else if (!input.choices().isEmpty() && !input.choices().contains(value)) {
            problems.add("input " + input.name() + ": " + shown + " is none of " + input.choices());
        }
        return value;
    }

    /** As the journal keeps them: plain values, durations as they are typed. */
    static Map<String, Object> shown(Map<String, Object> inputs) {
        Map<String, Object> shown = new LinkedHashMap<>();
        inputs.forEach(
                (name, value) ->
                        shown.put(name, value instanceof Duration d ? Durations.print(d) : value));
        return shown;
    }

    /**
     * The values of an earlier run as they would be typed, for going on with it. Secrets are not
     * among them: the journal has only their mask.
     */
    public static Map<String, String> typed(Workflow workflow, Map<String, Object> shown) {
        Map<String, String> typed = new LinkedHashMap<>();
        for (Map.Entry<String, Object> value : shown.entrySet()) {
            Input input = workflow.inputs().get(value.getKey());
            if (input == null || input.secret() || value.getValue() == null) {
                continue;
            }
            String text =
                    value.getValue() instanceof List<?> list
                            ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
                            : value.getValue().toString();
            typed.put(value.getKey(), text);
        }
        return typed;
    }
}
