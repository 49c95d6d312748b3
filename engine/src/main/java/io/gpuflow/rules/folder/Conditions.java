package io.gpuflow.rules.folder;

import io.gpuflow.rules.Read;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.drools.drl.ast.descr.AccumulateDescr;
import org.drools.drl.ast.descr.AndDescr;
import org.drools.drl.ast.descr.BaseDescr;
import org.drools.drl.ast.descr.ConditionalElementDescr;
import org.drools.drl.ast.descr.ExistsDescr;
import org.drools.drl.ast.descr.ExprConstraintDescr;
import org.drools.drl.ast.descr.PatternDescr;
import org.drools.drl.ast.descr.RuleDescr;

/** What the conditions of a parsed rule look at. */
final class Conditions {
    private Conditions() {}

    /** A comparison of a component with a constant text, which nothing else is said about. */
    private static final Pattern EQUAL =
            Pattern.compile("\\s*(\\w+)\\s*==\\s*\"([^\"\\\\]*)\"\\s*");

    /** The facts that must be there for the rule to match; {@code not} is left out. */
    static List<Read> reads(RuleDescr rule) {
        List<Read> reads = new ArrayList<>();
        collect(rule.getLhs(), reads);
        return reads.stream().distinct().toList();
    }

    /** Simple names of all types that the conditions name, those under {@code not} too. */
    static List<String> allTypes(RuleDescr rule) {
        return patterns(rule).stream().map(PatternDescr::getObjectType).toList();
    }

    /** All patterns, those under {@code not} and those that are summed up too. */
    static List<PatternDescr> patterns(RuleDescr rule) {
        List<PatternDescr> patterns = new ArrayList<>();
        all(rule.getLhs(), patterns);
        return patterns;
    }

    private static void all(Object descr, List<PatternDescr> patterns) {
        if (descr instanceof PatternDescr pattern) {
            if (pattern.getSource() instanceof AccumulateDescr accumulate) {
                all(accumulate.getInput(), patterns);
            } else {
                patterns.add(pattern);
            }
        } else if (descr instanceof ConditionalElementDescr inner) {
            inner.getDescrs().forEach(d -> all(d, patterns));
        }
    }

    private static void collect(BaseDescr descr, List<Read> reads) {
        if (descr instanceof AndDescr and) {
            and.getDescrs().forEach(d -> collect(d, reads));
        } else if (descr instanceof ExistsDescr exists) {
            exists.getDescrs().forEach(d -> collect((BaseDescr) d, reads));
        } else if (descr instanceof PatternDescr pattern) {
            if (pattern.getSource() instanceof AccumulateDescr accumulate) {
                collect(accumulate.getInput(), reads);
            } else if (pattern.getSource() == null) {
                reads.add(read(pattern));
            }
        }
    }

    private static Read read(PatternDescr pattern) {
        Map<String, String> equal = new TreeMap<>();
        for (BaseDescr constraint : pattern.getConstraint().getDescrs()) {
            if (constraint instanceof ExprConstraintDescr expression) {
                Matcher m = EQUAL.matcher(expression.getExpression());
                if (m.matches()) {
                    equal.put(m.group(1), m.group(2));
                }
            }
        }
        return new Read(pattern.getObjectType(), equal);
    }
}
