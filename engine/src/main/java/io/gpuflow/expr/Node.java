package io.gpuflow.expr;

import java.util.List;

/** A parsed expression. Positions are offsets into its text. */
sealed interface Node {
    int at();

    /** null, Boolean, Long, Double or String. */
    record Literal(Object value, int at) implements Node {}

    record Name(String name, int at) implements Node {}

    record Field(Node target, String field, int at) implements Node {}

    record Index(Node target, Node index, int at) implements Node {}

    record Items(List<Node> items, int at) implements Node {}

    /** {@code has(a.b)}: known and present. */
    record Has(Field field, int at) implements Node {}

    record Not(Node operand, int at) implements Node {}

    record Minus(Node operand, int at) implements Node {}

    record And(Node left, Node right, int at) implements Node {}

    record Or(Node left, Node right, int at) implements Node {}

    record Choice(Node condition, Node yes, Node no, int at) implements Node {}

    /** + - * / % and in. */
    record Binary(Operator operator, Node left, Node right, int at) implements Node {}

    /** A function; {@code x.f(y)} and {@code f(x, y)} are the same call with two arguments. */
    record Call(Function function, List<Node> arguments, boolean method, int at) implements Node {}

    /**
     * {@code range.all(name, body)} and its like.
     *
     * @param only condition of the three-argument map, or null
     */
    record Loop(Kind kind, Node range, String name, Node only, Node body, int at) implements Node {
        enum Kind {
            ALL,
            EXISTS,
            FILTER,
            MAP;

            String word() {
                return name().toLowerCase(java.util.Locale.ROOT);
            }
        }
    }
}
