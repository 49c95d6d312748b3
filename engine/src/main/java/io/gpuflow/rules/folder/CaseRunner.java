package io.gpuflow.rules.folder;

import io.gpuflow.facts.Advice;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.FactFields;
import io.gpuflow.rules.RuleBook;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Runs a rule's cases against a rule book and says where they differ from what was expected. */
public final class CaseRunner {
    private final RuleBook rules;
    private final Set<String> known;
    private final Function<String, List<Observed>> samples;

    /**
     * @param known ids of the rules in the book
     * @param samples the facts of a file below engine/samples, or of a recording
     */
    public CaseRunner(RuleBook rules, Set<String> known, Function<String, List<Observed>> samples) {
        this.rules = rules;
        this.known = known;
        this.samples = samples;
    }

    /**
     * What came of one case.
     *
     * @param differences empty when all is as expected
     */
    public record Result(String rule, RuleCase ruleCase, List<String> differences) {
        public boolean passed() {
            return differences.isEmpty();
        }
    }

    public Result run(String rule, RuleCase c) {
        List<String> differences = new ArrayList<>();
        if (!known.contains(rule)) {
            return new Result(rule, c, List.of("there is no rule " + rule));
        }
        List<Observed> facts = facts(c);
        Judgement judgement = rules.judge(facts, Set.of());
        RuleCase.Outcome outcome = outcome(rule, judgement);
        if (outcome != c.expect().outcome()) {
            differences.add(
                    difference(
                            "outcome",
                            word(c.expect().outcome()),
                            word(outcome) + details(rule, judgement)));
        } else if (outcome == RuleCase.Outcome.FIRES) {
            compare(rule, c.expect(), judgement, differences);
            loadBearing(rule, facts, judgement, differences);
        }
        return new Result(rule, c, differences);
    }

    /** What all rules make of a case. */
    public Judgement judged(RuleCase c) {
        return rules.judge(facts(c), Set.of());
    }

    private List<Observed> facts(RuleCase c) {
        List<Observed> facts = new ArrayList<>(c.given());
        c.samples().forEach(name -> facts.addAll(samples.apply(name)));
        return facts;
    }

    /** What the rule did with these facts. */
    public static RuleCase.Outcome outcome(String rule, Judgement judgement) {
        if (judgement.verdicts().stream().anyMatch(v -> v.id().equals(rule))) {
            return RuleCase.Outcome.FIRES;
        }
        return judgement.untold().stream().anyMatch(u -> u.rule().equals(rule))
                ? RuleCase.Outcome.UNKNOWN
                : RuleCase.Outcome.QUIET;
    }

    private static void compare(
            String rule,
            RuleCase.Expectation expect,
            Judgement judgement,
            List<String> differences) {
        List<Verdict> verdicts =
                judgement.verdicts().stream().filter(v -> v.id().equals(rule)).toList();
        for (String part : expect.says()) {
            if (verdicts.stream().noneMatch(v -> v.says().contains(part))) {
                differences.add(difference("says", "… " + part + " …", words(said(verdicts))));
            }
        }
        if (expect.why() != null
                && verdicts.stream().noneMatch(v -> v.why().contains(expect.why()))) {
            String why = words(verdicts.stream().map(Verdict::why).toList());
            differences.add(difference("why", "… " + expect.why() + " …", why));
        }
        if (expect.ranks() != null
                && verdicts.stream().noneMatch(v -> v.ranks().equals(expect.ranks()))) {
            differences.add(difference("ranks", "" + expect.ranks(), "" + verdicts.get(0).ranks()));
        }
        if (expect.count() != null && expect.count() != verdicts.size()) {
            differences.add(
                    difference(
                            "count",
                            "" + expect.count(),
                            verdicts.size() + ": " + words(said(verdicts))));
        }
        for (String experiment : expect.advises()) {
            if (judgement.advice().stream().noneMatch(a -> matches(a, rule, experiment))) {
                List<String> advised =
                        judgement.advice().stream()
                                .map(a -> a.experiment() + " (" + a.rule() + ")")
                                .toList();
                differences.add(difference("advises", experiment, words(advised)));
            }
        }
    }

    /** What was expected and what came, on a line each. */
    private static String difference(String what, String expected, String got) {
        return what + "\n- " + expected + "\n+ " + got;
    }

    private static String words(List<String> texts) {
        return texts.isEmpty() ? "nothing" : String.join(" | ", texts);
    }

    private static boolean matches(Advice advice, String rule, String experiment) {
        return advice.rule().equals(rule) && advice.experiment().equals(experiment);
    }

    /**
     * Each fact that a finding rests on must bear load: without it the finding is not the same, or
     * another fact takes its place.
     */
    private void loadBearing(
            String rule, List<Observed> facts, Judgement judgement, List<String> differences) {
        Set<String> proof = proof(judgement, rule);
        for (Fact fact : facts.stream().map(Observed::fact).distinct().toList()) {
            if (proof.stream().noneMatch(p -> p.startsWith(FactFields.text(fact) + "  ("))) {
                continue;
            }
            List<Observed> rest = facts.stream().filter(o -> !o.fact().equals(fact)).toList();
            Judgement without = rules.judge(rest, Set.of());
            boolean same = said(without, rule).equals(said(judgement, rule));
            if (same && proof.containsAll(proof(without, rule))) {
                differences.add("without " + FactFields.text(fact) + " it says the same");
            }
        }
    }

    private static Set<String> proof(Judgement judgement, String rule) {
        Set<String> proof = new HashSet<>();
        judgement.verdicts().stream()
                .filter(v -> v.id().equals(rule))
                .forEach(v -> proof.addAll(v.proof()));
        return proof;
    }

    private static List<String> said(Judgement judgement, String rule) {
        return judgement.verdicts().stream()
                .filter(v -> v.id().equals(rule))
                .map(v -> v.says() + v.values() + v.ranks())
                .toList();
    }

    private static List<String> said(List<Verdict> verdicts) {
        return verdicts.stream().map(Verdict::says).toList();
    }

    private static String details(String rule, Judgement judgement) {
        return switch (outcome(rule, judgement)) {
            case FIRES ->
                    ": "
                            + words(
                                    said(
                                            judgement.verdicts().stream()
                                                    .filter(v -> v.id().equals(rule))
                                                    .toList()));
            case UNKNOWN ->
                    ": "
                            + words(
                                    judgement.untold().stream()
                                            .filter(u -> u.rule().equals(rule))
                                            .flatMap(u -> u.missing().stream())
                                            .map(u -> u.what() + ": " + u.why())
                                            .toList());
            case QUIET -> "";
        };
    }

    private static String word(RuleCase.Outcome outcome) {
        return outcome.name().toLowerCase(java.util.Locale.ROOT);
    }
}
