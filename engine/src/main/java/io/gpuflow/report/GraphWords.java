package io.gpuflow.report;

import io.gpuflow.flow.Matrix;
import io.gpuflow.flow.Step;
import io.gpuflow.flow.Work;
import java.util.List;
import java.util.stream.Collectors;

/** What a drawing says about a step. */
final class GraphWords {
    private static final int LONGEST = 40;
    private static final int LONGEST_CONDITION = 60;

    private GraphWords() {}

    static String work(Step step) {
        String work;
        if (step.work() instanceof Work.Uses uses) {
            work = uses.action();
        } else if (step.work() instanceof Work.Cmd cmd) {
            work = cmd.argv().stream().map(Object::toString).collect(Collectors.joining(" "));
        } else {
            work = "sh: " + ((Work.Sh) step.work()).script().strip().lines().findFirst().orElse("");
        }
        return cut(work, LONGEST) + times(step.matrix());
    }

    private static String times(Matrix matrix) {
        if (matrix == null) {
            return "";
        }
        int times = 1;
        for (Object axis : matrix.axes().values()) {
            if (!(axis instanceof List<?> values)) {
                return " × " + String.join(" × ", matrix.axes().keySet());
            }
            times *= values.size();
        }
        return " × " + times;
    }

    static String effect(Step step) {
        return step.effect().word();
    }

    static String waits(Step step) {
        String needs = step.needs().isEmpty() ? "" : "needs " + String.join(", ", step.needs());
        String after = step.after().isEmpty() ? "" : "after " + String.join(", ", step.after());
        return needs + (needs.isEmpty() || after.isEmpty() ? "" : "; ") + after;
    }

    static String condition(Step step) {
        return step.when() == null ? "" : "if " + cut(step.when().text(), LONGEST_CONDITION);
    }

    private static String cut(String text, int longest) {
        String line = SafeText.line(text);
        return line.length() <= longest ? line : line.substring(0, longest - 1) + "…";
    }
}
