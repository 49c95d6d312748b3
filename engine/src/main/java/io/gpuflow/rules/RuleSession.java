package io.gpuflow.rules;

import io.gpuflow.facts.Advice;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Finding;
import io.gpuflow.facts.Setting;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.drools.core.rule.consequence.InternalMatch;
import org.drools.tms.LogicalDependency;
import org.drools.tms.agenda.TruthMaintenanceSystemInternalMatch;
import org.kie.api.KieBase;
import org.kie.api.event.rule.AfterMatchFiredEvent;
import org.kie.api.event.rule.DefaultAgendaEventListener;
import org.kie.api.runtime.KieSession;
import org.kie.api.runtime.rule.Match;

/** One run of the rules over one set of facts. */
final class RuleSession {
    /** Far above what any log needs; a rule that fires more often is at fault. */
    static final int MOST_FIRINGS = 200_000;

    private final KieBase rules;
    private final Map<Finding, List<Object>> matched = new HashMap<>();
    private final Map<String, Integer> firings = new ConcurrentHashMap<>();
    private final List<String> notes = new ArrayList<>();
    private final List<Advice> advice = new ArrayList<>();
    private volatile KieSession running;
    private String endless;

    RuleSession(KieBase rules) {
        this.rules = rules;
    }

    /**
     * Fires the rules over distinct facts, findings of checks among them, and returns what the
     * rules themselves conclude in the end.
     */
    List<Conclusion> conclude(Collection<Fact> facts, Collection<Setting> settings) {
        KieSession session = rules.newKieSession();
        running = session;
        try {
            session.addEventListener(new Listener());
            settings.forEach(session::insert);
            facts.forEach(session::insert);
            int fired = session.fireAllRules(MOST_FIRINGS);
            if (fired >= MOST_FIRINGS) {
                endless = busiest();
                notes.add(
                        "the rules fired "
                                + MOST_FIRINGS
                                + " times and were stopped; "
                                + endless
                                + " fired most: its findings may be incomplete");
            }
            return collect(session);
        } finally {
            session.dispose();
        }
    }

    /** Advice that rules gave by themselves, beside what their cards advise. */
    List<Advice> advice() {
        return advice;
    }

    List<String> notes() {
        return notes;
    }

    private List<Conclusion> collect(KieSession session) {
        List<Conclusion> conclusions = new ArrayList<>();
        for (Object held : new HashSet<>(session.getObjects())) {
            if (held instanceof Finding finding && matched.containsKey(finding)) {
                conclusions.add(new Conclusion(finding, matched.get(finding)));
            } else if (held instanceof Advice a) {
                advice.add(a);
            }
        }
        conclusions.sort(Comparator.comparing(c -> FactFields.text(c.finding())));
        advice.sort(Comparator.comparing(FactFields::text));
        return conclusions;
    }

    /** The rule that fired most when they had to be stopped, or null. */
    String endless() {
        return endless;
    }

    /** Stops it from another thread, before the next rule fires. */
    void stop() {
        KieSession session = running;
        if (session != null) {
            session.halt();
        }
    }

    /** The rule that fired most, or null. */
    String busiest() {
        return firings.entrySet().stream()
                .max(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    private final class Listener extends DefaultAgendaEventListener {
        @Override
        public void afterMatchFired(AfterMatchFiredEvent event) {
            Match match = event.getMatch();
            firings.merge(match.getRule().getName(), 1, Integer::sum);
            if (match instanceof TruthMaintenanceSystemInternalMatch<?> held
                    && held.getLogicalDependencies() != null) {
                List<Object> objects = MatchedFacts.of((InternalMatch) match);
                for (LogicalDependency<?> d = held.getLogicalDependencies().getFirst();
                        d != null;
                        d = (LogicalDependency<?>) d.getNext()) {
                    if (d.getObject() instanceof Finding finding) {
                        matched.merge(finding, objects, RuleSession::first);
                    }
                }
            }
        }
    }

    /** Of two matches that prove the same finding, the same one on every run. */
    private static List<Object> first(List<Object> a, List<Object> b) {
        return text(a).compareTo(text(b)) <= 0 ? a : b;
    }

    private static String text(List<Object> objects) {
        return String.join(";", objects.stream().map(o -> FactFields.text((Fact) o)).toList());
    }
}
