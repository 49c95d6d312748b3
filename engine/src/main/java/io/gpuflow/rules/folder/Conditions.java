package io.gpuflow.rules.folder;

import java.util.ArrayList;
import java.util.List;
import org.drools.drl.ast.descr.AccumulateDescr;
import org.drools.drl.ast.descr.AndDescr;
import org.drools.drl.ast.descr.BaseDescr;
import org.drools.drl.ast.descr.ConditionalElementDescr;
import org.drools.drl.ast.descr.ExistsDescr;
import org.drools.drl.ast.descr.PatternDescr;
import org.drools.drl.ast.descr.RuleDescr;

/** What the conditions of a parsed rule look at. */
final class Conditions {
    private Conditions() {}

    /**
     * Simple names of the types that must be there for the rule to match; {@code not} is left out.
     */
    static List<String> types(RuleDescr rule) {
        List<String> types = new ArrayList<>();
        collect(rule.getLhs(), types);
        return types;
    }

    /** Simple names of all types that the conditions name, those under {@code not} too. */
    static List<String> allTypes(RuleDescr rule) {
        List<String> types = new ArrayList<>();
        all(rule.getLhs(), types);
        return types;
    }

    private static void all(Object descr, List<String> types) {
        if (descr instanceof PatternDescr pattern) {
            if (pattern.getSource() instanceof AccumulateDescr accumulate) {
                all(accumulate.getInput(), types);
            } else {
                types.add(pattern.getObjectType());
            }
        } else if (descr instanceof ConditionalElementDescr inner) {
            inner.getDescrs().forEach(d -> all(d, types));
        }
    }

    private static void collect(BaseDescr descr, List<String> types) {
        if (descr instanceof AndDescr and) {
            and.getDescrs().forEach(d -> collect(d, types));
        } else if (descr instanceof ExistsDescr exists) {
            exists.getDescrs().forEach(d -> collect((BaseDescr) d, types));
        } else if (descr instanceof PatternDescr pattern) {
            if (pattern.getSource() instanceof AccumulateDescr accumulate) {
                collect(accumulate.getInput(), types);
            } else if (pattern.getSource() == null) {
                types.add(pattern.getObjectType());
            }
        }
    }
}
