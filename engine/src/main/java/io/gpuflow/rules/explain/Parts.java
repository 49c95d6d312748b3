package io.gpuflow.rules.explain;

import java.util.ArrayList;
import java.util.List;
import org.drools.drl.ast.descr.AccumulateDescr;
import org.drools.drl.ast.descr.AndDescr;
import org.drools.drl.ast.descr.BaseDescr;
import org.drools.drl.ast.descr.EvalDescr;
import org.drools.drl.ast.descr.ExistsDescr;
import org.drools.drl.ast.descr.NotDescr;
import org.drools.drl.ast.descr.PatternDescr;
import org.drools.drl.parser.DrlParser;
import org.drools.drl.parser.DroolsParserException;

/**
 * One condition taken apart.
 *
 * @param kind what sort of condition it is
 * @param type the fact type that it looks at, or null
 * @param bindings parts that only name a value: {@code $gpu : gpu}
 * @param constraints parts that can fail
 */
record Parts(Kind kind, String type, List<String> bindings, List<String> constraints) {
    enum Kind {
        /** A fact must be there. */
        PATTERN,
        /** No such fact may be there. */
        NOT,
        /** Facts are summed up; the parts are those of the facts. */
        ACCUMULATE,
        /** A computation over what the conditions before bind. */
        EVAL,
        OTHER
    }

    static Parts of(String head, String condition) {
        String drl = head + "rule \"x\"\nwhen\n  " + condition + "\nthen\nend\n";
        try {
            AndDescr lhs = new DrlParser().parse(false, drl).getRules().get(0).getLhs();
            return of(lhs.getDescrs().get(0));
        } catch (DroolsParserException | RuntimeException e) {
            return new Parts(Kind.OTHER, null, List.of(), List.of());
        }
    }

    private static Parts of(BaseDescr descr) {
        if (descr instanceof NotDescr not && not.getDescrs().get(0) instanceof PatternDescr inner) {
            return pattern(Kind.NOT, inner);
        }
        if (descr instanceof ExistsDescr exists
                && exists.getDescrs().get(0) instanceof PatternDescr inner) {
            return pattern(Kind.PATTERN, inner);
        }
        if (descr instanceof EvalDescr) {
            return new Parts(Kind.EVAL, null, List.of(), List.of());
        }
        if (descr instanceof PatternDescr pattern) {
            if (pattern.getSource() instanceof AccumulateDescr accumulate
                    && alone(accumulate.getInput()) instanceof PatternDescr inner) {
                return pattern(Kind.ACCUMULATE, inner);
            }
            if (pattern.getSource() == null) {
                return pattern(Kind.PATTERN, pattern);
            }
        }
        return new Parts(Kind.OTHER, null, List.of(), List.of());
    }

    /** The only descr inside of an and, else the descr itself. */
    private static BaseDescr alone(BaseDescr descr) {
        return descr instanceof AndDescr and && and.getDescrs().size() == 1
                ? and.getDescrs().get(0)
                : descr;
    }

    private static Parts pattern(Kind kind, PatternDescr pattern) {
        List<String> bindings = new ArrayList<>();
        List<String> constraints = new ArrayList<>();
        for (BaseDescr d : pattern.getConstraint().getDescrs()) {
            String text = d.toString();
            boolean names = text.matches("\\$?\\w+\\s*:\\s*[\\w.()]+");
            (names ? bindings : constraints).add(text);
        }
        return new Parts(kind, pattern.getObjectType(), bindings, constraints);
    }

    /** A pattern with all bindings and only these constraints. */
    String pattern(List<String> some) {
        List<String> all = new ArrayList<>(bindings);
        all.addAll(some);
        return type + "( " + String.join(", ", all) + " )";
    }
}
