package io.gpuflow.rules.explain;

import io.gpuflow.facts.Fact;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.drools.kiesession.rulebase.InternalKnowledgeBase;
import org.drools.kiesession.rulebase.KnowledgeBaseFactory;
import org.kie.api.event.rule.AfterMatchFiredEvent;
import org.kie.api.event.rule.DefaultAgendaEventListener;
import org.kie.api.io.ResourceType;
import org.kie.api.runtime.KieSession;
import org.kie.api.runtime.rule.Match;
import org.kie.internal.builder.KnowledgeBuilder;
import org.kie.internal.builder.KnowledgeBuilderFactory;
import org.kie.internal.io.ResourceFactory;

/** Tries conditions on facts: which of them match, with what. */
final class Trial {
    /** Enough to tell what is near; a trial never has to list everything. */
    private static final int MOST_MATCHES = 2_000;

    /**
     * One way in which the conditions match.
     *
     * @param facts in the order of the conditions
     * @param values what the conditions bind, by name
     */
    record Found(List<Fact> facts, Map<String, Object> values) {}

    private final String head;
    private final Map<String, String> rules = new LinkedHashMap<>();

    /**
     * @param head package and imports of the rule
     */
    Trial(String head) {
        this.head = head;
    }

    /** Adds conditions to try under a name. */
    void add(String name, List<String> conditions) {
        rules.put(name, String.join("\n  ", conditions));
    }

    /** Matches by name; a name whose conditions can't be tried alone, or don't match, has none. */
    Map<String, List<Found>> run(Collection<? extends Fact> facts) {
        Map<String, List<Found>> found = new TreeMap<>();
        rules.keySet().forEach(name -> found.put(name, new ArrayList<>()));
        KieSession session = base().newKieSession();
        try {
            session.addEventListener(
                    new DefaultAgendaEventListener() {
                        @Override
                        public void afterMatchFired(AfterMatchFiredEvent event) {
                            Match match = event.getMatch();
                            found.get(match.getRule().getName()).add(found(match));
                        }
                    });
            facts.forEach(session::insert);
            session.fireAllRules(MOST_MATCHES * Math.max(1, rules.size()));
        } finally {
            session.dispose();
        }
        return found;
    }

    private InternalKnowledgeBase base() {
        InternalKnowledgeBase base = KnowledgeBaseFactory.newKnowledgeBase();
        KnowledgeBuilder all = compile(drl(rules));
        if (!all.hasErrors()) {
            base.addPackages(all.getKnowledgePackages());
            return base;
        }
        rules.forEach(
                (name, conditions) -> {
                    KnowledgeBuilder one = compile(drl(Map.of(name, conditions)));
                    if (!one.hasErrors()) {
                        base.addPackages(one.getKnowledgePackages());
                    }
                });
        return base;
    }

    private String drl(Map<String, String> some) {
        StringBuilder text = new StringBuilder(head);
        some.forEach(
                (name, conditions) ->
                        text.append("rule \"")
                                .append(name)
                                .append("\"\nwhen\n  ")
                                .append(conditions)
                                .append("\nthen\nend\n"));
        return text.toString();
    }

    private static KnowledgeBuilder compile(String drl) {
        KnowledgeBuilder builder = KnowledgeBuilderFactory.newKnowledgeBuilder();
        builder.add(
                ResourceFactory.newByteArrayResource(drl.getBytes(StandardCharsets.UTF_8)),
                ResourceType.DRL);
        return builder;
    }

    private static Found found(Match match) {
        List<Fact> facts = new ArrayList<>();
        for (Object o : match.getObjects()) {
            if (o instanceof Fact fact) {
                facts.add(fact);
            }
        }
        Map<String, Object> values = new TreeMap<>();
        for (String name : match.getDeclarationIds()) {
            Object value = match.getDeclarationValue(name);
            if (value != null && !(value instanceof Fact)) {
                values.put(name, value);
            }
        }
        return new Found(facts, values);
    }
}
