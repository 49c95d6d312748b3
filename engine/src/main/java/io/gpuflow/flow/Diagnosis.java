package io.gpuflow.flow;

import io.gpuflow.facts.Incident;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Unknown;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.RuleBook;
import io.gpuflow.scan.Logs;
import io.gpuflow.scan.Signatures;
import io.gpuflow.scan.Unread;
import java.nio.file.Path;
import java.util.ArrayList;
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
        Logs logs = new Logs(Signatures.builtIn());
        logs.read(paths);
        List<Observed> facts = new ArrayList<>();
        if (logs.any()) {
            facts.addAll(logs.facts());
        } else {
            facts.add(
                    new Observed(
                            new Unknown("Incident", "no log could be read"),
                            Source.of("the paths given")));
        }
        List<Unread> unread = new ArrayList<>(logs.unread());
        logs.dumps().forEach(d -> unread.add(new Unread(d.toString(), "a dump: not read yet")));
        Judgement judgement = rules.judge(facts, Set.of());
        return new Diagnosis(outcome(judgement, facts), judgement.verdicts(), facts, unread);
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
        boolean well =
                facts.stream()
                        .map(Observed::fact)
                        .anyMatch(f -> f instanceof Incident i && (!i.failed() || i.wentOn()));
        return well ? Outcome.HEALTHY : Outcome.UNKNOWN;
    }
}
