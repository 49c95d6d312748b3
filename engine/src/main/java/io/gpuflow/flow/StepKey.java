package io.gpuflow.flow;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What a step's result depends on. An earlier result is reused only when all of it is the same; how
 * often the step was tried and how long it may take are not in it.
 *
 * @param text hash of the step as written
 * @param inputs what the step was given, by name: {@code with.op}, {@code env.NCCL_ALGO}, {@code
 *     matrix.op} … hashed
 * @param facts hash of the facts it may use, by fact type
 * @param tools versions: gpuflow, programs, driver, boot
 */
public record StepKey(
        String text,
        Map<String, String> inputs,
        Map<String, String> facts,
        Map<String, String> tools) {

    public StepKey {
        requireNonNull(text);
        inputs = inputs == null ? Map.of() : inputs;
        facts = facts == null ? Map.of() : facts;
        tools = tools == null ? Map.of() : tools;
    }

    /** What differs from an earlier key, in words for the user; empty when nothing does. */
    public List<String> differences(StepKey before) {
        List<String> said = new ArrayList<>();
        if (!text.equals(before.text)) {
            said.add("its text changed");
        }
        List<String> inputNames = differing(before.inputs, inputs);
        if (!inputNames.isEmpty()) {
            said.add("input " + String.join(", ", inputNames) + " changed");
        }
        for (String tool : differing(before.tools, tools)) {
            said.add(toolChange(tool, before.tools.get(tool), tools.get(tool)));
        }
        List<String> factNames = differing(before.facts, facts);
        if (!factNames.isEmpty()) {
            said.add("facts changed: " + String.join(", ", factNames));
        }
        return said;
    }

    private static String toolChange(String tool, String was, String is) {
        if (was == null) {
            return tool + " is new (" + is + ")";
        }
        return is == null
                ? tool + " is gone (was " + was + ")"
                : tool + " changed from " + was + " to " + is;
    }

    private static List<String> differing(Map<String, String> a, Map<String, String> b) {
        TreeSet<String> names = new TreeSet<>(a.keySet());
        names.addAll(b.keySet());
        names.removeIf(n -> a.containsKey(n) && a.get(n).equals(b.get(n)));
        return List.copyOf(names);
    }
}
