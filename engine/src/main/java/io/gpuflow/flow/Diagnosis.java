package io.gpuflow.flow;

import io.gpuflow.facts.Incident;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Unknown;
import io.gpuflow.facts.Verdict;
import io.gpuflow.parse.Parser;
import io.gpuflow.parse.Parsers;
import io.gpuflow.rules.RuleBook;
import io.gpuflow.scan.Logs;
import io.gpuflow.scan.Signatures;
import io.gpuflow.scan.Unread;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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

    /** Files of tools that other parsers know and that bear on a failure. */
    private static final Set<String> TOOLS = Set.of("p2p-bandwidth-test");

    private static final long MOST_PARSED = 4 << 20;

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
        for (Path text : logs.texts()) {
            parsed(text, facts);
        }
        Judgement judgement = rules.judge(facts, Set.of());
        List<Verdict> verdicts =
                new Causality(facts)
                        .choose(judgement.verdicts().stream().map(Diagnosis::placed).toList());
        return new Diagnosis(outcome(judgement, facts), verdicts, facts, unread);
    }

    /** Facts of a file that another tool wrote. */
    private static void parsed(Path file, List<Observed> facts) {
        try {
            if (Files.size(file) > MOST_PARSED) {
                return;
            }
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            Parser<?> parser = Parsers.of(text);
            if (parser != null && TOOLS.contains(parser.kind())) {
                facts.addAll(parser.parse(text).facts(file.toString()));
            }
        } catch (IOException e) {
            // The scan has told that it can't be read.
            return;
        }
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
        boolean well =
                facts.stream()
                        .map(Observed::fact)
                        .anyMatch(f -> f instanceof Incident i && (!i.failed() || i.wentOn()));
        return well ? Outcome.HEALTHY : Outcome.UNKNOWN;
    }
}
