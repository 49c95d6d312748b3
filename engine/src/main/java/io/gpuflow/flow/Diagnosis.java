package io.gpuflow.flow;

import io.gpuflow.facts.Incident;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Stall;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.RuleBook;
import io.gpuflow.scan.Unread;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What the logs and dumps of a job say about its end, judged.
 *
 * @param outcome fault, healthy or unknown
 * @param verdicts roots first, best first
 * @param facts everything that was found out
 * @param unread what was named or found and not read, or not to its end
 */
public record Diagnosis(
        Outcome outcome, List<Verdict> verdicts, List<Observed> facts, List<Unread> unread) {

    /** UNKNOWN is an answer: something failed, and what is there does not decide why. */
    public enum Outcome {
        FAULT,
        HEALTHY,
        UNKNOWN
    }

    /** Reads everything below the paths and judges it with the rules. */
    public static Diagnosis of(List<Path> paths, RuleBook rules) {
        JobEvidence read = JobEvidence.read(paths);
        List<Observed> facts = read.facts();
        Judgement judgement = rules.judge(facts, Set.of());
        List<Verdict> verdicts =
                new Causality(facts)
                        .choose(judgement.verdicts().stream().map(Diagnosis::placed).toList());
        return new Diagnosis(outcome(judgement, facts), verdicts, facts, read.unread());
    }

    /** Evidence with a place goes before, or instead of, what rests on all logs together. */
    private static Verdict placed(Verdict v) {
        List<Source> lines = v.evidence().stream().filter(s -> s.line() > 0).toList();
        return lines.isEmpty() || lines.size() == v.evidence().size()
                ? v
                : new Verdict(
                        v.id(),
                        v.area(),
                        v.cause(),
                        v.role(),
                        v.level(),
                        v.under(),
                        v.confidence(),
                        v.ranks(),
                        v.hosts(),
                        v.says(),
                        v.why(),
                        v.fixes(),
                        lines,
                        v.proof(),
                        v.values());
    }

    private static Outcome outcome(Judgement judgement, List<Observed> facts) {
        boolean root =
                judgement.verdicts().stream()
                        .anyMatch(
                                v ->
                                        v.role() == Verdict.Role.ROOT
                                                && v.level() != Verdict.Level.INFO);
        if (root) {
            return Outcome.FAULT;
        }
        // A dump is written when something hangs, or on demand: open calls alone are no proof of
        // health.
        boolean open = facts.stream().anyMatch(o -> o.fact() instanceof Stall);
        boolean well =
                facts.stream()
                        .map(Observed::fact)
                        .anyMatch(f -> f instanceof Incident i && (!i.failed() || i.wentOn()));
        return well && !open ? Outcome.HEALTHY : Outcome.UNKNOWN;
    }
}
