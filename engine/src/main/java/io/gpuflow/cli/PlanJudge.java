package io.gpuflow.cli;

import io.gpuflow.advise.Candidate;
import io.gpuflow.advise.Layout;
import io.gpuflow.advise.PlanFacts;
import io.gpuflow.advise.Reasons;
import io.gpuflow.advise.Request;
import io.gpuflow.advise.TrainingMachine;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Unknown;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.RuleBook;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Ranks candidates by what the rules of the area advise, and the site's own, say of them: what is
 * forbidden last, then by predicted time for the same number of sequences, times the factors of
 * those that avoid or prefer it.
 */
final class PlanJudge {
    static final Set<String> AREAS = Set.of("advise");
    private static final Source SOURCE = Source.of("gpuflow advise");

    private final Request request;
    private final TrainingMachine machine;
    private final Reasons reasons;
    private final RuleBook rules;

    PlanJudge(Request request, TrainingMachine machine, Reasons reasons, RuleBook rules) {
        this.request = request;
        this.machine = machine;
        this.reasons = reasons;
        this.rules = rules;
    }

    /**
     * What a candidate's rank rests on.
     *
     * @param cost predicted seconds for a sequence, times the rules' factors; infinite when not
     *     known
     * @param place among the candidates as they came: the simplest first
     */
    private record Ranked(Candidate candidate, double cost, int place) {}

    /**
     * The candidates, best first, with the rules' reasons.
     *
     * @param facts of the machine
     */
    List<Candidate> judged(List<Candidate> candidates, List<Observed> facts) {
        Judgement judgement = rules.judge(facts(candidates, facts), AREAS);
        List<Ranked> all = new ArrayList<>();
        for (int i = 0; i < candidates.size(); i++) {
            all.add(ranked(candidates.get(i), i, judgement));
        }
        all.sort(
                Comparator.comparing((Ranked r) -> r.candidate().forbidden())
                        .thenComparing(r -> Boolean.FALSE.equals(r.candidate().fits()))
                        .thenComparing(Ranked::cost)
                        .thenComparing(Ranked::place));
        return all.stream().map(Ranked::candidate).toList();
    }

    private List<Observed> facts(List<Candidate> candidates, List<Observed> machineFacts) {
        List<Observed> facts = new ArrayList<>(machineFacts);
        if (request.model().family().equals("parameters")) {
            String why = "only a number of parameters was given: heads and layers are assumed";
            facts.add(new Observed(new Unknown("TrainingModel", why), SOURCE));
        } else {
            facts.add(new Observed(PlanFacts.of(request.model()), SOURCE));
        }
        for (int i = 0; i < candidates.size(); i++) {
            Candidate c = candidates.get(i);
            String remedy = Boolean.FALSE.equals(c.fits()) ? reasons.remedy(c) : null;
            facts.add(new Observed(PlanFacts.of(i, request, c, machine, remedy), SOURCE));
        }
        return facts;
    }

    private Ranked ranked(Candidate c, int place, Judgement judgement) {
        List<String> because = new ArrayList<>(c.because());
        boolean out = false;
        double factor = 1;
        for (Verdict v : judgement.verdicts()) {
            if (!String.valueOf(v.values().get("plan")).equals(String.valueOf(place))) {
                continue;
            }
            String effect = String.valueOf(v.values().get("effect"));
            out |= effect.equals("forbid");
            if (v.values().get("factor") instanceof Number n) {
                factor *= n.doubleValue();
            }
            // What does not fit stands among the reasons already.
            if (!v.id().equals("plan-does-not-fit")) {
                because.add(v.says() + " [" + v.id() + "]");
            }
        }
        for (Judgement.Forbidden veto : judgement.site().vetoes()) {
            if (forbids(veto.what(), c.layout())) {
                out = true;
                because.add(
                        "policy forbids "
                                + veto.what()
                                + ": "
                                + veto.because()
                                + " ["
                                + veto.by()
                                + "]");
            }
        }
        return new Ranked(c.judged(List.copyOf(because), out), cost(c) * factor, place);
    }

    private static double cost(Candidate c) {
        double sequences =
                (double) c.workload().microBatch() * c.layout().dp() * c.layout().accumulation();
        return c.stepSeconds() == null ? Double.POSITIVE_INFINITY : c.stepSeconds() / sequences;
    }

    /**
     * {@code strategy=fsdp} forbids fsdp2 and tp+fsdp2; {@code strategy=tp} any tensor parallelism.
     */
    static boolean forbids(String what, Layout layout) {
        if (!what.startsWith("strategy=")) {
            return false;
        }
        String word = what.substring("strategy=".length());
        return Arrays.stream(layout.strategy().split("\\+"))
                .anyMatch(
                        part ->
                                part.equals(word)
                                        || part.matches(Pattern.quote(word) + "[0-9-].*"));
    }
}
