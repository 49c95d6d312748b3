package io.gpuflow.advise;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Says in words what a candidate's step takes and which GPUs do what. */
public final class TimeReasons {
    private TimeReasons() {}

    public static List<String> of(Candidate c, TrainingMachine machine) {
        List<String> because = new ArrayList<>();
        StepTime t = c.time();
        if (t != null && t.seconds() != null) {
            because.add(
                    format(
                            "%.0f tokens a second: a step of %.3f s is %.3f s of compute%s%s",
                            t.tokensPerSecond(),
                            t.seconds(),
                            t.compute(),
                            t.bubble() > 0 ? format(", %.3f s of pipeline bubble", t.bubble()) : "",
                            t.communication() > 0
                                    ? format(
                                            " and %.3f s of communication that compute does not hide (%.3f s in all)",
                                            t.exposed(), t.communication())
                                    : ""));
        } else if (t != null) {
            List<String> why = machine.unknown();
            because.add("time not known" + (why.isEmpty() ? "" : ": " + String.join("; ", why)));
        }
        if (c.placement() != null) {
            c.placement().groups().forEach(g -> because.add(words(g)));
        }
        return because;
    }

    /** tensor-parallel groups: GPUs 0,1 | 2,3. */
    private static String words(Placement.Group group) {
        String name =
                switch (group.dimension()) {
                    case "tp" -> "tensor-parallel";
                    case "pp" -> "pipeline";
                    case "cp" -> "context-parallel";
                    default -> "data-parallel";
                };
        return name
                + (group.gpus().size() == 1 ? " group: GPUs " : " groups: GPUs ")
                + group.gpus().stream()
                        .map(g -> g.stream().map(String::valueOf).collect(Collectors.joining(",")))
                        .collect(Collectors.joining(" | "));
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
