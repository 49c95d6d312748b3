package io.gpuflow.rules;

import io.gpuflow.facts.Fact;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import org.drools.core.reteoo.AccumulateNode.AccumulateContext;
import org.drools.core.reteoo.TupleImpl;
import org.drools.core.rule.consequence.InternalMatch;

/**
 * The facts that a match rests on, in the order of the rule's conditions; those that an accumulate
 * summed up are among them. ({@code InternalMatch.getObjectsDeep} of Drools 10.2 fails on rules
 * with eval and leaves out an accumulate that comes first.)
 */
final class MatchedFacts {
    private MatchedFacts() {}

    static List<Object> of(InternalMatch match) {
        List<List<Object>> conditions = new ArrayList<>();
        for (TupleImpl t = match.getTuple(); t != null; t = t.getParent()) {
            conditions.add(0, condition(t));
        }
        LinkedHashSet<Object> facts = new LinkedHashSet<>();
        conditions.forEach(facts::addAll);
        return List.copyOf(facts);
    }

    private static List<Object> condition(TupleImpl tuple) {
        List<Object> facts = new ArrayList<>();
        if (tuple.getFactHandle() != null) {
            keep(tuple.getFactHandle().getObject(), facts);
        }
        if (tuple.getContextObject() instanceof AccumulateContext) {
            List<Object> summed = new ArrayList<>();
            for (TupleImpl c = tuple.getFirstChild(); c != null; c = c.getHandleNext()) {
                if (c.getRightParent() != null) {
                    keep(c.getRightParent().getFactHandle().getObject(), summed);
                }
            }
            summed.sort(Comparator.comparing(o -> FactFields.text((Fact) o)));
            facts.addAll(summed);
        }
        return facts;
    }

    private static void keep(Object object, List<Object> facts) {
        if (object instanceof Fact) {
            facts.add(object);
        }
    }
}
