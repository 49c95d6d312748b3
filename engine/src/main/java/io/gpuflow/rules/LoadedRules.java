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
    private final Map<String, RuleCard> cards;
    private final Map<String, List<Setting>> settings;
    private final List<String> notes;

    /**
     * @param source compiles or loads the rules of these ids
     * @param cards by id
     * @param settings by rule id, complete
     * @param notes about the policy, told with every judgement
     */
    public LoadedRules(
            Function<Set<String>, KieBase> source,
            Map<String, RuleCard> cards,
            Map<String, List<Setting>> settings,
            List<String> notes) {
        this.bases = new Bases(source, cards.values());
        this.cards = cards;
        this.settings = settings;
        this.notes = notes;
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

    public Map<String, RuleCard> cards() {
        return cards;
    }

    public Map<String, List<Setting>> settings() {
        return settings;
    }

    /** All findings that these facts lead to, those of ignored rules included. */
    public List<Finding> findings(Collection<Observed> observed) {
        FactSources sources = new FactSources(observed);
        return new RuleSession(bases.forFacts(sources.facts()))
                .conclude(sources.facts(), allSettings()).stream()
                        .map(Conclusion::finding)
                        .toList();
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
        RuleSession session = new RuleSession(bases.forFacts(sources.facts()));
        List<Conclusion> conclusions = session.conclude(sources.facts(), allSettings());
        List<Verdict> verdicts =
                new Ranking(cards)
                        .rank(new Verdicts(cards, settings, sources, conclusions).all()).stream()
                                .filter(v -> areas.isEmpty() || areas.contains(v.area()))
                                .toList();
        List<String> said = new ArrayList<>(notes);
        said.addAll(session.notes());
        return new Judgement(
                verdicts,
                advice(verdicts, session.advice(), sources.facts()),
                untold(conclusions, sources.facts(), areas),
                List.copyOf(said));
    }

    private boolean excluded(RuleCard card, Collection<Fact> facts, Silence silence) {
        Set<String> missing = new HashSet<>();
        silence.unmet(card).forEach(need -> missing.add(need.type()));
        return new Excluded(bases.of(Set.of(card.id())), facts).excludes(card, missing);
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
        List<Judgement.Untold> untold = new ArrayList<>();
        for (RuleCard card : cards.values()) {
            if (card.level() == null
                    || fired.contains(card.id())
                    || !(areas.isEmpty() || areas.contains(card.area()))) {
                continue;
            }
            List<Unknown> missing = silence.missing(card);
            if (!missing.isEmpty() && !excluded(card, facts, silence)) {
                untold.add(new Judgement.Untold(card.id(), card.area(), missing));
            }
        }
        untold.sort(Comparator.comparing(Judgement.Untold::rule));
        return List.copyOf(untold);
    }
}
