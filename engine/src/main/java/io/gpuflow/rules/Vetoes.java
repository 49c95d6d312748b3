package io.gpuflow.rules;

import io.gpuflow.facts.Advice;
import io.gpuflow.facts.Judgement.Forbidden;
import io.gpuflow.facts.Judgement.Vetoed;
import io.gpuflow.facts.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Leaves out of what rules advise what own rules of the site forbid. */
final class Vetoes {
    private final Map<String, RuleCard> cards;
    private final List<Forbidden> forbidden = new ArrayList<>();
    private final List<Vetoed> vetoed = new ArrayList<>();

    /**
     * @param cards with the words of checks filled in
     * @param spoke conclusions of rules that count, be they told or not
     */
    Vetoes(Map<String, RuleCard> cards, List<Conclusion> spoke) {
        this.cards = cards;
        for (Conclusion c : spoke) {
            RuleCard card = cards.get(c.finding().rule());
            if (card != null && !card.vetoes().isEmpty()) {
                String because = Words.fill(card.says(), c.finding().values());
                card.vetoes()
                        .forEach(
                                v ->
                                        forbidden.add(
                                                new Forbidden(v.toString(), card.id(), because)));
            }
        }
    }

    List<Forbidden> forbidden() {
        return forbidden;
    }

    /** What was left out, in a fixed order. */
    List<Vetoed> vetoed() {
        return vetoed.stream()
                .distinct()
                .sorted(
                        Comparator.comparing(Vetoed::what)
                                .thenComparing(Vetoed::advisedBy)
                                .thenComparing(Vetoed::by))
                .toList();
    }

    /** The verdicts without forbidden remedies, and without those that claim what is forbidden. */
    List<Verdict> allowed(List<Verdict> verdicts) {
        if (forbidden.isEmpty()) {
            return verdicts;
        }
        List<Verdict> allowed = new ArrayList<>();
        for (Verdict v : verdicts) {
            if (!claims(v)) {
                allowed.add(withoutForbidden(v));
            }
        }
        return allowed;
    }

    private boolean claims(Verdict v) {
        for (Forbidden f : forbidden) {
            if (Veto.parse(f.what()).forbidsClaim(cards.get(v.id()).claims())) {
                vetoed.add(new Vetoed(f.what(), v.id(), f.by(), f.because()));
                return true;
            }
        }
        return false;
    }

    private Verdict withoutForbidden(Verdict v) {
        List<Verdict.Fix> fixes = new ArrayList<>();
        for (Verdict.Fix fix : v.fixes()) {
            Forbidden by = null;
            for (Forbidden f : forbidden) {
                by = by == null && Veto.parse(f.what()).forbids(fix) ? f : by;
            }
            if (by == null) {
                fixes.add(fix);
            } else {
                vetoed.add(new Vetoed(by.what(), v.id(), by.by(), by.because()));
            }
        }
        return fixes.size() == v.fixes().size() ? v : v.with(fixes);
    }

    /** Whether an experiment may be tried as far as its name tells. */
    boolean allows(Advice advice) {
        for (Forbidden f : forbidden) {
            if (Veto.parse(f.what()) instanceof Veto.OfExperiment e
                    && e.name().equals(advice.experiment())) {
                vetoed.add(new Vetoed(f.what(), advice.rule(), f.by(), f.because()));
                return false;
            }
        }
        return true;
    }
}
