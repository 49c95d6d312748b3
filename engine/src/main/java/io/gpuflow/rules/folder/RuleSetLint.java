package io.gpuflow.rules.folder;

import io.gpuflow.yaml.Position;
import io.gpuflow.yaml.Problems;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is wrong with rules only because of other rules. */
public final class RuleSetLint {
    private static final Pattern FINDING =
            Pattern.compile("(not\\s*\\(?\\s*)?\\bFinding\\s*\\(\\s*rule\\s*==\\s*\"([^\"]*)\"");

    private final List<RuleFolder> folders;
    private final Problems problems;

    /** Findings that a rule's conditions look at; by rule, then whether it denies them. */
    private final Map<String, Map<String, Boolean>> looksAt = new TreeMap<>();

    private RuleSetLint(List<RuleFolder> folders, Problems problems) {
        this.folders = folders;
        this.problems = problems;
    }

    public static void check(List<RuleFolder> folders, Problems problems) {
        RuleSetLint lint = new RuleSetLint(folders, problems);
        lint.shadowed();
        lint.selfNegating();
    }

    /** Two rules with the same conditions always speak together: one of them is superfluous. */
    private void shadowed() {
        Map<String, RuleFolder> seen = new HashMap<>();
        for (RuleFolder f : folders) {
            if (f.descr() == null) {
                continue;
            }
            RuleFolder other = seen.putIfAbsent(conditions(f), f);
            if (other != null) {
                problems.at(
                        new Position(f.label() + "/rule.drl", Math.max(1, f.descr().getLine()), 1),
                        "rule " + f.id() + " has the same conditions as " + other.id(),
                        "keep one of them: they always speak together");
            }
        }
    }

    /** The conditions without layout, and with a stand-in for the rule's own name. */
    private static String conditions(RuleFolder f) {
        String text =
                f.drl()
                        .replaceAll("//[^\\n]*", "")
                        .replaceAll("rule\\s*==\\s*\"" + f.id() + "\"", "rule == self");
        Matcher m = Pattern.compile("\\bwhen\\b(.*?)\\n\\s*then\\b", Pattern.DOTALL).matcher(text);
        String when = m.find() ? m.group(1).replaceAll("\\s+", "") : f.id();
        // A threshold of its own makes it another rule.
        return when
                + f.card().settings().stream().map(s -> s.name() + s.number() + s.list()).toList();
    }

    /**
     * A rule that denies a finding which rests on its own finding fires and retracts itself for
     * ever. The direct form is told by {@link RuleLint}.
     */
    private void selfNegating() {
        for (RuleFolder f : folders) {
            Map<String, Boolean> findings = new TreeMap<>();
            Matcher m = FINDING.matcher(f.drl().replaceAll("//[^\\n]*", ""));
            while (m.find()) {
                findings.merge(m.group(2), m.group(1) != null, Boolean::logicalOr);
            }
            looksAt.put(f.id(), findings);
        }
        for (RuleFolder f : folders) {
            looksAt.get(f.id())
                    .forEach(
                            (other, denied) -> {
                                List<String> way = denied ? way(other, f.id()) : null;
                                if (way != null && !other.equals(f.id())) {
                                    problems.file(
                                            f.label() + "/rule.drl",
                                            "rule "
                                                    + f.id()
                                                    + " denies the finding of "
                                                    + other
                                                    + ", which rests on its own ("
                                                    + String.join(" ← ", way)
                                                    + ")",
                                            "it would fire and retract itself at once");
                                }
                            });
        }
    }

    /** The rules by which a finding rests on another; null when it does not. */
    private List<String> way(String from, String to) {
        return way(from, to, new HashSet<>());
    }

    private List<String> way(String from, String to, Set<String> seen) {
        if (from.equals(to)) {
            return new ArrayList<>(List.of(to));
        }
        if (!seen.add(from)) {
            return null;
        }
        for (String next : looksAt.getOrDefault(from, Map.of()).keySet()) {
            List<String> rest = way(next, to, seen);
            if (rest != null) {
                rest.add(0, from);
                return rest;
            }
        }
        return null;
    }
}
