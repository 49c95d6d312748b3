package io.gpuflow.flow;

import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.Policy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the rules make of one step. */
final class Judging {
    private static final Judgement NOTHING =
            new Judgement(List.of(), List.of(), List.of(), List.of());

    private final RunState run;
    private final Step step;
    private Judgement judgement = NOTHING;
    private String failed;

    Judging(RunState run, Step step) {
        this.run = run;
        this.step = step;
    }

    /** Asks the rules of the step's areas over all facts so far; the last answer counts. */
    void ask(List<Observed> facts) {
        if (step.check().isEmpty()) {
            return;
        }
        try {
            judgement = run.judge(seenWith(facts), step.check());
        } catch (RuntimeException e) {
            failed = "the rules could not be asked: " + e;
            return;
        }
        run.record(new Entry.Judged(step.id(), step.check(), judgement));
    }

    /**
     * The judgement whose advice the step's experiments follow. Rules that an earlier step checked
     * count too: what the probe saw may be what a benchmark can prove.
     */
    Judgement advising(List<Observed> facts) {
        Set<String> areas = new LinkedHashSet<>();
        for (String earlier : run.order().sees(step.id())) {
            areas.addAll(run.setup().workflow().step(earlier).check());
        }
        if (step.experiments().isEmpty() || failed != null || step.check().containsAll(areas)) {
            return judgement;
        }
        areas.addAll(step.check());
        return run.judge(seenWith(facts), List.copyOf(areas));
    }

    /** Facts of the steps it sees, then its own. */
    List<Observed> seenWith(List<Observed> facts) {
        List<Observed> all = new ArrayList<>(run.results().factsFor(step));
        all.addAll(facts);
        return all;
    }

    /**
     * What the findings make of a step that ended so. Rules that could not be told do not change
     * it: they are listed as unknown, so that nobody takes them for passed.
     */
    State state(State own) {
        State state = failed == null ? own : own.worse(State.BROKEN);
        for (Verdict verdict : own()) {
            state =
                    switch (verdict.level()) {
                        case FAIL -> state.worse(State.FAILED);
                        case WARN -> state.worse(State.WARNED);
                        case INFO -> state;
                    };
        }
        return state;
    }

    /**
     * The findings that this step answers for. Rules of the area site are asked with every step;
     * what they said of an earlier one is its matter.
     */
    private List<Verdict> own() {
        Set<String> before = new LinkedHashSet<>();
        for (String earlier : run.order().sees(step.id())) {
            Ledger.StepLog log = run.ledger().of(earlier);
            if (log != null && log.judgement() != null) {
                log.judgement().verdicts().forEach(v -> before.add(v.id()));
            }
        }
        return judgement.verdicts().stream()
                .filter(v -> !v.area().equals(Policy.OWN) || !before.contains(v.id()))
                .toList();
    }

    /** The worst finding when it decided, else what the step itself says. */
    String reason(State state, String own) {
        String reason = state == State.BROKEN && failed != null ? failed : own;
        Verdict.Level decided =
                state == State.FAILED
                        ? Verdict.Level.FAIL
                        : state == State.WARNED ? Verdict.Level.WARN : null;
        for (Verdict verdict : own()) {
            if (verdict.level() == decided) {
                reason = verdict.says();
                break;
            }
        }
        int untold = judgement.untold().size();
        return untold == 0
                ? reason
                : reason + " (" + untold + (untold == 1 ? " check" : " checks") + " unknown)";
    }
}
