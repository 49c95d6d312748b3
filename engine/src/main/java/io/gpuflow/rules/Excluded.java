package io.gpuflow.rules;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Known;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.drools.base.definitions.rule.impl.RuleImpl;
import org.drools.base.rule.GroupElement;
import org.drools.base.rule.Pattern;
import org.drools.base.rule.RuleConditionElement;
import org.drools.base.rule.constraint.AlphaNodeFieldConstraint;
import org.drools.base.rule.constraint.Constraint;
import org.drools.core.common.DefaultFactHandle;
import org.kie.api.KieBase;
import org.kie.api.definition.rule.Rule;

/**
 * Whether what is known excludes a rule already, whatever the missing facts would be: one of its
 * conditions on a known fact type is met by no fact. "NCCL_P2P_DISABLE is set and …" is not unknown
 * on a machine where it is not set.
 */
final class Excluded {
    private static final Set<String> NEVER = Set.of("Setting", "Finding", "Advice");

    private final Function<RuleCard, KieBase> base;
    private final Collection<? extends Fact> facts;

    /** Types of which there are facts, or of which all are said to be here. */
    private final Set<String> known = new HashSet<>();

    /**
     * @param base loads one rule; asked only when the rule's text does not decide, because that
     *     takes some milliseconds and a log without a launcher leaves more than a hundred to ask
     */
    Excluded(Function<RuleCard, KieBase> base, Collection<? extends Fact> facts) {
        this.base = base;
        this.facts = facts;
        for (Fact fact : facts) {
            known.add(fact.getClass().getSimpleName());
            if (fact instanceof Known all) {
                known.add(all.what());
            }
        }
    }

    /**
     * Decides by conditions that must match some fact and compare with constants alone; any other
     * condition excludes nothing.
     *
     * @param missing fact types that are not known
     */
    boolean excludes(RuleCard card, Set<String> missing) {
        List<Read> decided = card.reads().stream().filter(r -> decides(r.type(), missing)).toList();
        if (decided.isEmpty()) {
            return false;
        }
        if (decided.stream().anyMatch(read -> facts.stream().noneMatch(read::metBy))) {
            return true;
        }
        Rule rule = base.apply(card).getRule(RulePackage.of(card.area(), card.id()), card.id());
        if (!(rule instanceof RuleImpl compiled)) {
            return false;
        }
        GroupElement lhs = compiled.getLhs();
        return lhs.isAnd()
                && lhs.getChildren().stream().anyMatch(condition -> fails(condition, missing));
    }

    private boolean fails(RuleConditionElement condition, Set<String> missing) {
        if (!(condition instanceof Pattern pattern) || pattern.getSource() != null) {
            return false;
        }
        String type = pattern.getObjectType().getClassName();
        String name = type.substring(type.lastIndexOf('.') + 1);
        return decides(name, missing)
                && facts.stream()
                        .filter(fact -> fact.getClass().getName().equals(type))
                        .noneMatch(fact -> meets(pattern, fact));
    }

    /** Whether what there is of a fact type is known. */
    private boolean decides(String type, Set<String> missing) {
        return !NEVER.contains(type) && !missing.contains(type) && known.contains(type);
    }

    private static boolean meets(Pattern pattern, Fact fact) {
        DefaultFactHandle handle = new DefaultFactHandle(0, fact);
        for (Constraint constraint : pattern.getConstraints()) {
            if (constraint instanceof AlphaNodeFieldConstraint alpha
                    && constraint.getRequiredDeclarations().length == 0
                    && !alpha.isAllowed(handle, null)) {
                return false;
            }
        }
        return true;
    }
}
