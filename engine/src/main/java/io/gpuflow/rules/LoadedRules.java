package io.gpuflow.rules;

import io.gpuflow.facts.Advice;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Finding;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Setting;
import io.gpuflow.facts.Tried;
import io.gpuflow.facts.Unknown;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.check.Check;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.kie.api.KieBase;

/** Rules ready to judge: the compiled conditions, the cards and the settings in force. */
public final class LoadedRules implements RuleBook {
    private final Bases bases;
    private final Policy policy;
    private final List<String> notes;
    private final Map<String, RuleCard> cards;
    private final Map<String, List<Setting>> settings;

    /**
     * @param source compiles or loads the rules of these ids
     * @param policy the rules in force
     * @param notes told with every judgement
     */
    public LoadedRules(Function<Set<String>, KieBase> source, Policy policy, List<String> notes) {
        this(new Bases(source, policy.compiled().values()), policy, notes);
    }

    private LoadedRules(Bases bases, Policy policy, List<String> notes) {
        this.bases = bases;
        this.policy = policy;
        this.notes = notes;
        this.cards = policy.cards();
        this.settings = policy.settings();
    }

    /** The settings of rules as their cards declare them. */
    public static Map<String, List<Setting>> defaults(Collection<RuleCard> cards) {
        Map<String, List<Setting>> settings = new TreeMap<>();
        for (RuleCard card : cards) {
            settings.put(
                    card.id(), card.settings().stream().map(s -> s.asDefault(card.id())).toList());
        }
        return settings;
    }

    /** The same rules with other thresholds; what is loaded of them already is kept. */
    public LoadedRules with(Map<String, List<Setting>> others) {
        return new LoadedRules(bases, policy.with(others), notes);
    }

    public Map<String, RuleCard> cards() {
        return cards;
    }

    public Map<String, List<Setting>> settings() {
        return settings;
    }

    /** Why a check speaks about these facts or not, with the values. */
    public String because(Check check, Collection<Observed> observed) {
        List<Fact> facts = new ArrayList<>(new FactSources(observed).facts());
        if (check.buildsOnFindings()) {
            facts.addAll(findings(observed));
        }
        return new Checks(facts).because(check);
    }

    public Policy policy() {
        return policy;
    }

    /** All findings that these facts lead to, those of ignored rules included. */
    public List<Finding> findings(Collection<Observed> observed) {
        Collection<Fact> facts = new FactSources(observed).facts();
        CheckRounds checks = new CheckRounds(policy.checks(), facts);
        List<Conclusion> all = new ArrayList<>(guarded().conclude(checks.first(), allSettings()));
        checks.second(all);
        all.addAll(checks.conclusions());
        return all.stream().map(Conclusion::finding).toList();
    }

    private GuardedSession guarded() {
        return new GuardedSession(bases, policy.models().keySet());
    }

    /** The needs of a rule that none of these facts meets. */
    public List<String> unmet(RuleCard card, Collection<Fact> facts) {
        return new Silence(facts).unmet(card).stream().map(Need::toString).toList();
    }

    /** Whether an Unknown is about a need of a rule. */
    public static boolean speaksOf(Unknown unknown, String need) {
        return Need.parse(need).spokenOfBy(unknown.what());
    }

    /** Runs one rule over nothing, so that what all judgements need is there. */
    void prepare() {
        Set<String> any = Set.of(cards.keySet().iterator().next());
        new RuleSession(bases.of(any)).conclude(List.of(), List.of());
    }

    /** Loads everything now rather than when it is needed. */
    public void warm() {
        bases.all();
    }

    private List<Setting> allSettings() {
        return settings.values().stream().flatMap(List::stream).toList();
    }

    @Override
    public Judgement judge(Collection<Observed> observed, Set<String> areas) {
        FactSources sources = new FactSources(observed);
        Collection<Fact> facts = sources.facts();
        CheckRounds checks = new CheckRounds(policy.checks(), facts);
        GuardedSession guarded = guarded();
        List<Conclusion> all = new ArrayList<>(guarded.conclude(checks.first(), allSettings()));
        checks.second(all);
        all.addAll(checks.conclusions());
        Map<String, RuleCard> worded = worded(checks.cards());

        Exemptions exemptions = new Exemptions(policy.exemptions(), facts);
        List<Conclusion> told = exemptions.told(all);
        Vetoes vetoes = new Vetoes(worded, counting(all));
        List<Verdict> verdicts =
                new Ranking(worded)
                                .rank(
                                        vetoes.allowed(
                                                new Verdicts(worded, settings, sources, told)
                                                        .all()))
                                .stream()
                                .filter(v -> Policy.asks(areas, v.area()))
                                .toList();
        List<Advice> advice =
                advice(verdicts, guarded.session().advice(), facts).stream()
                        .filter(vetoes::allows)
                        .toList();
        List<Judgement.Broken> broken = broken(guarded.failed());
        List<Judgement.Untold> untold = untold(all, facts, areas);
        untold.addAll(asked(checks.untold(), areas));
        broken.forEach(b -> untold.addAll(asked(untold(b), areas)));
        untold.sort(Comparator.comparing(Judgement.Untold::rule));
        return new Judgement(
                verdicts,
                advice,
                List.copyOf(untold),
                notes(guarded.session(), exemptions, areas),
                new Judgement.Site(
                        policy.files(),
                        broken,
                        suppressed(exemptions, worded, sources, areas),
                        vetoes.forbidden(),
                        vetoes.vetoed()));
    }

    private Map<String, RuleCard> worded(Map<String, RuleCard> filled) {
        if (filled.isEmpty()) {
            return cards;
        }
        Map<String, RuleCard> worded = new TreeMap<>(cards);
        worded.putAll(filled);
        return worded;
    }

    /** Conclusions of rules that the site does not ignore. */
    private List<Conclusion> counting(List<Conclusion> all) {
        return all.stream().filter(c -> !policy.ignored().contains(c.finding().rule())).toList();
    }

    private List<Judgement.Broken> broken(Map<String, String> failed) {
        List<Judgement.Broken> broken = new ArrayList<>(policy.broken());
        failed.forEach(
                (id, why) -> broken.add(new Judgement.Broken(id, "", "while judging: " + why)));
        return List.copyOf(broken);
    }

    private List<Judgement.Untold> untold(Judgement.Broken broken) {
        RuleCard card = cards.get(broken.rule());
        Unknown why = new Unknown(broken.rule(), "the rule is broken: " + broken.why());
        return List.of(
                new Judgement.Untold(
                        broken.rule(), card == null ? Policy.OWN : card.area(), List.of(why)));
    }

    private static List<Judgement.Untold> asked(List<Judgement.Untold> untold, Set<String> areas) {
        return untold.stream().filter(u -> Policy.asks(areas, u.area())).toList();
    }

    private List<String> notes(RuleSession session, Exemptions exemptions, Set<String> areas) {
        List<String> notes = new ArrayList<>(this.notes);
        notes.addAll(policy.notes());
        notes.addAll(session.notes());
        for (Policy.Exemption idle : exemptions.idle()) {
            RuleCard card = cards.get(idle.rule());
            if (card != null && Policy.asks(areas, card.area())) {
                notes.add(
                        idle.at()
                                + ": the exception for "
                                + idle.rule()
                                + " kept nothing back: the rule is quiet here; remove it");
            }
        }
        return List.copyOf(notes);
    }

    private List<Judgement.Suppressed> suppressed(
            Exemptions exemptions,
            Map<String, RuleCard> worded,
            FactSources sources,
            Set<String> areas) {
        List<Judgement.Suppressed> suppressed = new ArrayList<>();
        exemptions
                .kept()
                .forEach(
                        (e, kept) ->
                                new Verdicts(worded, settings, sources, kept)
                                        .all().stream()
                                                .filter(v -> Policy.asks(areas, v.area()))
                                                .forEach(
                                                        v ->
                                                                suppressed.add(
                                                                        new Judgement.Suppressed(
                                                                                v.id(),
                                                                                v.says(),
                                                                                e.because(),
                                                                                e.at()))));
        suppressed.sort(
                Comparator.comparing(Judgement.Suppressed::rule)
                        .thenComparing(Judgement.Suppressed::says));
        return List.copyOf(suppressed);
    }

    /** What fired rules advise, best verdict first, without what has been tried. */
    private List<Advice> advice(List<Verdict> verdicts, List<Advice> own, Collection<Fact> facts) {
        Set<String> settled =
                facts.stream()
                        .filter(Tried.class::isInstance)
                        .map(f -> ((Tried) f).experiment())
                        .collect(Collectors.toSet());
        List<Advice> advice = new ArrayList<>();
        for (Verdict v : verdicts) {
            for (String experiment : cards.get(v.id()).advises()) {
                if (settled.add(experiment)) {
                    advice.add(new Advice(v.id(), experiment, v.says()));
                }
            }
        }
        own.stream().filter(a -> settled.add(a.experiment())).forEach(advice::add);
        return List.copyOf(advice);
    }

    private List<Judgement.Untold> untold(
            List<Conclusion> conclusions, Collection<Fact> facts, Set<String> areas) {
        Set<String> fired = new HashSet<>();
        conclusions.forEach(c -> fired.add(c.finding().rule()));
        Silence silence = new Silence(facts);
        Excluded excluded = new Excluded(card -> bases.of(Set.of(card.id())), facts);
        List<Judgement.Untold> untold = new ArrayList<>();
        for (RuleCard card : policy.compiled().values()) {
            if (card.level() == null
                    || fired.contains(card.id())
                    || !Policy.asks(areas, card.area())) {
                continue;
            }
            List<Unknown> missing = silence.missing(card);
            Set<String> types = new HashSet<>();
            silence.unmet(card).forEach(need -> types.add(need.type()));
            if (!missing.isEmpty() && !excluded.excludes(card, types)) {
                untold.add(new Judgement.Untold(card.id(), card.area(), missing));
            }
        }
        return untold;
    }
}
