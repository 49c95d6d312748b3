package io.gpuflow.rules;

import io.gpuflow.expr.Scope;
import io.gpuflow.expr.Value;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Finding;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Known;
import io.gpuflow.facts.Unknown;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.check.Check;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** Judges facts by checks in YAML. */
public final class Checks {
    /** With more facts than this behind it, a finding's proof is not made as small as it can be. */
    private static final int MOST_TRIED = 64;

    private final Collection<Fact> facts;
    private final Set<String> types = new HashSet<>();
    private final Silence silence;
    private final FactScope values;
    private final Scope scope;
    private final List<Spoken> spoken = new ArrayList<>();
    private final List<Judgement.Untold> untold = new ArrayList<>();

    /**
     * A check that spoke.
     *
     * @param card with its words filled in
     * @param matched the facts that its condition rests on
     */
    record Spoken(Finding finding, RuleCard card, List<Object> matched) {}

    /**
     * @param facts distinct, in a fixed order; findings among them for checks that build on such
     */
    public Checks(Collection<Fact> facts) {
        this.facts = facts;
        this.silence = new Silence(facts);
        this.values = new FactScope(facts);
        this.scope = scopeOf(values);
        for (Fact fact : facts) {
            types.add(fact.getClass().getSimpleName());
            if (fact instanceof Known known) {
                types.add(known.what());
            }
        }
        types.add("Finding");
    }

    private static Scope scopeOf(FactScope facts) {
        return name ->
                name.equals("facts")
                        ? facts.values()
                        : new Value.Unknown("there is no " + name + " here");
    }

    /** Judges by one check. */
    public void judge(Check check) {
        Value holds = check.when().evaluate(scope);
        if (holds.isTrue()) {
            spoken.add(spoken(check));
            return;
        }
        List<Unknown> missing = new ArrayList<>(silence.missing(check.card()));
        if (holds instanceof Value.Unknown unknown && missing.isEmpty()) {
            missing.addAll(missing(check, unknown));
        }
        if (!missing.isEmpty() && check.card().level() != null) {
            untold.add(new Judgement.Untold(check.id(), check.card().area(), List.copyOf(missing)));
        }
    }

    /** What keeps a condition from being told; empty when nothing asked for its facts at all. */
    private List<Unknown> missing(Check check, Value.Unknown unknown) {
        List<Unknown> missing = new ArrayList<>();
        boolean asked = true;
        for (String type : check.reads()) {
            if (!types.contains(type)) {
                Need need = new Need(type, null, null);
                List<Unknown> said = silence.about(need);
                missing.addAll(said);
                asked &= !said.isEmpty();
            }
        }
        if (missing.isEmpty() && asked) {
            String what = check.reads().isEmpty() ? check.id() : check.reads().iterator().next();
            missing.add(new Unknown(what, unknown.why()));
        }
        return missing;
    }

    /** Why its condition is what it is, with the values. */
    String because(Check check) {
        return check.when().because(scope);
    }

    private Spoken spoken(Check check) {
        Finding finding = new Finding(check.id(), new TreeMap<>());
        return new Spoken(finding, filled(check), proof(check));
    }

    private RuleCard filled(Check check) {
        RuleCard card = check.card();
        boolean worse = check.worse() != null && check.worse().evaluate(scope).isTrue();
        List<Verdict.Fix> fixes = new ArrayList<>();
        for (int i = 0; i < card.fixes().size(); i++) {
            Verdict.Fix fix = card.fixes().get(i);
            Check.FixWords words = check.fixes().get(i);
            fixes.add(
                    new Verdict.Fix(
                            fix.kind(),
                            fix.who(),
                            words.text().show(scope),
                            fix.env(),
                            words.cost().show(scope)));
        }
        return card.told(
                worse && card.level() != null ? Verdict.Level.FAIL : card.level(),
                oneLine(check.says().show(scope)),
                check.why() == null ? "" : check.why().show(scope),
                fixes);
    }

    /** A value with a line break in it must not break the line. */
    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s*\\n\\s*", " ");
    }

    /**
     * The facts without any of which the condition would not hold. Those that it looked at are
     * taken away one after the other, last ones first, as long as it still holds.
     */
    private List<Object> proof(Check check) {
        Set<Fact> touched = new LinkedHashSet<>();
        values.touching(touched);
        check.when().evaluate(scope);
        values.touching(null);
        Set<String> seen = new HashSet<>();
        touched.forEach(f -> seen.add(f.getClass().getSimpleName()));
        for (Fact fact : facts) {
            String type = fact.getClass().getSimpleName();
            if (check.reads().contains(type) && !seen.contains(type)) {
                touched.add(fact);
            }
        }
        List<Fact> proof = new ArrayList<>(touched);
        if (proof.size() > 1 && proof.size() <= MOST_TRIED) {
            reduce(check, proof);
        }
        proof.sort(Comparator.comparing(FactFields::text));
        return List.copyOf(proof);
    }

    private void reduce(Check check, List<Fact> proof) {
        Set<Fact> without = new HashSet<>();
        for (int i = proof.size() - 1; i >= 0; i--) {
            without.add(proof.get(i));
            List<Fact> left = facts.stream().filter(f -> !without.contains(f)).toList();
            if (check.when().evaluate(scopeOf(new FactScope(left))).isTrue()) {
                proof.remove(i);
            } else {
                without.remove(proof.get(i));
            }
        }
    }

    /** The checks that spoke, in the order in which they were asked. */
    List<Spoken> spoken() {
        return spoken;
    }

    /** How many spoke. */
    public int count() {
        return spoken.size();
    }

    List<Judgement.Untold> untold() {
        return untold;
    }
}
