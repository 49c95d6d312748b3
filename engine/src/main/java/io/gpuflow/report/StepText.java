package io.gpuflow.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What is said about a step: why it is in its state, then what it brought at each point of its
 * matrix, also when a rule's words stand first, then what was tried.
 */
final class StepText {
    private static final Pattern UNKNOWN = Pattern.compile(" \\(\\d+ checks? unknown\\)$");

    /** What is no longer than this is told again rather than pointed at. */
    private static final int SHORT = 40;

    private StepText() {}

    /**
     * The lines, the first one beside the step's name.
     *
     * @param told reasons of the steps above with their names; this one's is added
     */
    static List<String> of(RunReport.StepLine step, Map<String, String> told) {
        List<String> lines = new ArrayList<>(results(step));
        String reason = Missing.shortly(SafeText.line(step.reason()));
        Matcher unknown = UNKNOWN.matcher(reason);
        String also = unknown.find() ? unknown.group() : "";
        boolean points = lines.size() > 1 && lines.stream().allMatch(reason::contains);
        lines.removeIf(line -> !points && reason.contains(line));
        if (points) {
            lines.set(0, lines.get(0) + also);
        } else {
            String why = reason.substring(0, reason.length() - also.length());
            String above = told.putIfAbsent(why, step.id());
            boolean same = above != null && why.length() > SHORT;
            lines.add(0, (same ? "the same as " + above : why) + also);
        }
        lines.set(0, lines.get(0) + attempts(step));
        if (step.argv() != null) {
            lines.add("$ " + SafeText.line(String.join(" ", step.argv())));
        }
        step.experiments().forEach(tried -> lines.add(SafeText.line(tried(tried))));
        return lines;
    }

    static String tried(RunReport.ExperimentLine tried) {
        return "tried " + tried.name() + ", " + tried.outcome() + ": " + tried.says();
    }

    /** What the last attempt at each point says, without that of experiments. */
    private static List<String> results(RunReport.StepLine step) {
        Map<Map<String, Object>, String> last = new LinkedHashMap<>();
        for (RunReport.AttemptLine attempt : own(step)) {
            String says = Missing.shortly(SafeText.line(attempt.reason()));
            last.put(attempt.matrix(), says.isEmpty() ? null : named(attempt.matrix(), says));
        }
        return last.values().stream().filter(Objects::nonNull).toList();
    }

    private static String named(Map<String, Object> point, String says) {
        boolean names = point.values().stream().allMatch(v -> says.contains(String.valueOf(v)));
        return names
                ? says
                : point.entrySet().stream()
                                .map(e -> SafeText.line(e.getKey() + " " + e.getValue()))
                                .collect(Collectors.joining(", "))
                        + ": "
                        + says;
    }

    private static List<RunReport.AttemptLine> own(RunReport.StepLine step) {
        return step.attempts().stream().filter(a -> a.experiment() == null).toList();
    }

    private static String attempts(RunReport.StepLine step) {
        List<RunReport.AttemptLine> own = own(step);
        long points = own.stream().map(RunReport.AttemptLine::matrix).distinct().count();
        return own.size() > points ? " [" + own.size() + " attempts]" : "";
    }
}
