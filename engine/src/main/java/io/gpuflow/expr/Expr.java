package io.gpuflow.expr;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A condition or value of a workflow, read once and evaluated as often as needed. */
public final class Expr {
    private final String text;
    private final Node root;

    private Expr(String text, Node root) {
        this.text = text;
        this.root = root;
    }

    /** Reads an expression as it stands in {@code if:} or between {@code ${{ }}}. */
    public static Expr parse(String text) throws ExprException {
        return new Expr(text.strip(), Parser.parse(text));
    }

    /**
     * Computes it. Never throws and always ends soon; what can't be computed is {@link
     * Value.Unknown} with the reason.
     */
    public Value evaluate(Scope scope) {
        return Value.of(Evaluator.evaluate(root, scope));
    }

    /**
     * Why it is what it is, with the values: {@code size(steps.probe.out.gpus) is 1, wanted > 1}.
     */
    public String because(Scope scope) {
        return Because.of(root, scope);
    }

    /**
     * Checks names and types before there are values.
     *
     * @param scope the names that exist at the root
     * @param problems told of each mistake, with offsets into the text
     * @return what the result will be
     */
    public Type check(Type.Fields scope, List<ExprProblem> problems) {
        return new Checker(problems).check(root, scope);
    }

    /**
     * The parts of a root name that the expression names: of {@code facts}, for instance, gpu and
     * topology.
     *
     * @return in order of name
     */
    public Set<String> parts(String name) {
        Set<String> parts = new TreeSet<>();
        Parts.collect(root, name, parts);
        return parts;
    }

    /** The text as it was written. */
    public String text() {
        return text;
    }

    /** The expression in its usual form. */
    @Override
    public String toString() {
        return Printer.print(root);
    }

    Node root() {
        return root;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Expr expr && toString().equals(expr.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }
}
