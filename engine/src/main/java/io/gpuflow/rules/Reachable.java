package io.gpuflow.rules;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Finding;
import io.gpuflow.facts.Setting;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.drools.model.AlphaIndex;
import org.drools.model.Condition;
import org.drools.model.Constraint;
import org.drools.model.Index;
import org.drools.model.Model;
import org.drools.model.Pattern;
import org.drools.model.Rule;
import org.drools.model.SingleConstraint;
import org.drools.model.impl.ModelImpl;

/**
 * Leaves out rules that can't fire with given facts, because building the knowledge base for all of
 * them costs more than judging does. A rule is left out only when one of its conditions, one that
 * must match some fact, matches none: no fact is of its type, or none has the constant that it
 * compares with. Findings come up while rules fire, so a condition on them never excludes.
 */
final class Reachable {
    private final Map<Class<?>, List<Fact>> byType;

    Reachable(Collection<Fact> facts) {
        byType = facts.stream().collect(Collectors.groupingBy(Fact::getClass));
    }

    /** The model with the rules that may fire. */
    Model of(Model model) {
        ModelImpl kept = new ModelImpl(model.getName());
        model.getGlobals().forEach(kept::addGlobal);
        model.getQueries().forEach(kept::addQuery);
        model.getTypeMetaDatas().forEach(kept::addTypeMetaData);
        model.getRules().stream().filter(this::mayFire).forEach(kept::addRule);
        return kept;
    }

    private boolean mayFire(Rule rule) {
        return mayMatch(rule.getView());
    }

    private boolean mayMatch(Condition condition) {
        return switch (condition.getType()) {
            case AND -> condition.getSubConditions().stream().allMatch(this::mayMatch);
            case PATTERN -> !(condition instanceof Pattern<?> pattern) || matches(pattern);
            default -> true; // not, exists, or, accumulate …: may hold without a fact of their own
        };
    }

    private boolean matches(Pattern<?> pattern) {
        Class<?> type = pattern.getPatternVariable().getType();
        if (!Fact.class.isAssignableFrom(type) || type == Finding.class || type == Setting.class) {
            return true;
        }
        List<Fact> candidates = byType.getOrDefault(type, List.of());
        return candidates.stream().anyMatch(fact -> satisfies(pattern.getConstraint(), fact));
    }

    private static boolean satisfies(Constraint constraint, Fact fact) {
        return switch (constraint.getType()) {
            case MULTIPLE ->
                    constraint.getChildren().stream().allMatch(child -> satisfies(child, fact));
            case SINGLE ->
                    !(constraint instanceof SingleConstraint single)
                            || equal(single.getIndex(), fact);
            default -> true;
        };
    }

    @SuppressWarnings("unchecked")
    private static boolean equal(Index index, Fact fact) {
        if (!(index instanceof AlphaIndex<?, ?> alpha)
                || index.getConstraintType() != Index.ConstraintType.EQUAL
                || alpha.getRightValue() == null) {
            return true;
        }
        Object left = ((AlphaIndex<Fact, Object>) alpha).getLeftOperandExtractor().apply(fact);
        return !(left instanceof String) || left.equals(alpha.getRightValue());
    }
}
