package io.gpuflow.rules.explain;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.rules.FactFields;
import io.gpuflow.rules.Words;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What comes nearest to meeting a condition that nothing meets. */
final class NearestMiss {
    private static final int MOST_TOLD = 3;

    private final String head;
    private final List<String> before;
    private final Collection<Fact> facts;
    private final Map<Fact, Observed> observed;
    private final ConditionWords words;
    private final List<String> lines = new ArrayList<>();

    /**
     * @param words says constraints in words, or null to show them as they stand
     * @param before the conditions before it, which hold
     * @param observed where facts came from
     */
    NearestMiss(
            String head,
            List<String> before,
            Collection<Fact> facts,
            Map<Fact, Observed> observed,
            ConditionWords words) {
        this.head = head;
        this.before = before;
        this.facts = facts;
        this.observed = observed;
        this.words = words;
    }

    List<String> lines(String condition) {
        Parts parts = Parts.of(head, condition);
        switch (parts.kind()) {
            case PATTERN -> fact(parts);
            case NOT -> present(parts);
            case ACCUMULATE -> summed(condition, parts);
            default -> values();
        }
        return lines.stream().map(line -> "   " + line).toList();
    }

    private void fact(Parts parts) {
        List<String> constraints = parts.constraints();
        Trial trial = new Trial(head);
        trial.add("any", with(parts.pattern(List.of())));
        for (int i = 0; i < constraints.size(); i++) {
            trial.add("" + i, with(parts.pattern(List.of(constraints.get(i)))));
        }
        Map<String, List<Trial.Found>> found = trial.run(facts);
        Map<Fact, List<String>> failed = new LinkedHashMap<>();
        found.get("any").forEach(f -> failed.put(last(f), new ArrayList<>()));
        for (int i = 0; i < constraints.size(); i++) {
            String constraint = constraints.get(i);
            List<Fact> meeting = found.get("" + i).stream().map(NearestMiss::last).toList();
            failed.keySet().stream()
                    .filter(fact -> !meeting.contains(fact))
                    .forEach(fact -> failed.get(fact).add(constraint));
        }
        if (failed.isEmpty()) {
            lines.add("there is no " + parts.type());
        } else {
            nearest(failed);
        }
    }

    private void nearest(Map<Fact, List<String>> failed) {
        int least = failed.values().stream().mapToInt(List::size).min().orElse(0);
        List<Fact> near =
                failed.keySet().stream().filter(f -> failed.get(f).size() == least).toList();
        Fact first = near.get(0);
        String others = near.size() > 1 ? " (" + (near.size() - 1) + " more as near)" : "";
        lines.add("nearest: " + told(first) + others);
        if (!failed.get(first).isEmpty()) {
            List<String> each = failed.get(first);
            lines.add(
                    "it fails: "
                            + String.join(
                                    "; ",
                                    words == null
                                            ? each
                                            : each.stream().map(words::constraint).toList()));
        }
    }

    private void present(Parts parts) {
        Trial trial = new Trial(head);
        trial.add("there", with(parts.pattern(parts.constraints())));
        trial.run(facts).get("there").stream()
                .limit(MOST_TOLD)
                .forEach(f -> lines.add("there is " + told(last(f))));
    }

    private void summed(String condition, Parts parts) {
        List<Integer> semicolons = ConditionTexts.semicolons(condition, condition.indexOf('('));
        Trial trial = new Trial(head);
        trial.add("facts", with(parts.pattern(parts.constraints())));
        if (semicolons.size() > 1) {
            trial.add("sum", with(condition.substring(0, semicolons.get(1)) + " )"));
        }
        Map<String, List<Trial.Found>> found = trial.run(facts);
        if (found.get("facts").isEmpty()) {
            fact(parts);
            return;
        }
        lines.add(found.get("facts").size() + " facts are summed up");
        found.getOrDefault("sum", List.of()).stream()
                .limit(1)
                .forEach(f -> lines.add("with " + told(f.values())));
    }

    private void values() {
        Trial trial = new Trial(head);
        trial.add("before", before);
        trial.run(facts).get("before").stream()
                .limit(MOST_TOLD)
                .forEach(f -> lines.add("with " + told(f.values())));
    }

    private List<String> with(String condition) {
        List<String> all = new ArrayList<>(before);
        all.add(condition);
        return all;
    }

    private static Fact last(Trial.Found found) {
        return found.facts().get(found.facts().size() - 1);
    }

    private String told(Fact fact) {
        Observed from = observed.get(fact);
        return FactFields.text(fact) + (from == null ? "" : "  (" + from.source() + ")");
    }

    private static String told(Map<String, Object> values) {
        List<String> each = new ArrayList<>();
        values.forEach(
                (name, value) ->
                        each.add(
                                FactFields.snake(name.replace("$", ""))
                                        + " = "
                                        + Words.of("", value)));
        return String.join(", ", each);
    }
}
