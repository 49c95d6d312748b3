package io.gpuflow.expr;

/** Says in one line which part of a condition decided, with the values. */
final class Because {
    private static final int LONGEST_VALUE = 80;

    private Because() {}

    static String of(Node node, Scope scope) {
        Value result = Value.of(Evaluator.evaluate(node, scope));
        if (result instanceof Value.Unknown unknown) {
            return Printer.print(node) + " is unknown: " + unknown.why();
        }
        if (node instanceof Node.And and) {
            return joined(and.left(), and.right(), result, scope, false);
        }
        if (node instanceof Node.Or or) {
            return joined(or.left(), or.right(), result, scope, true);
        }
        if (node instanceof Node.Not not && compares(not.operand())) {
            return of(not.operand(), scope);
        }
        if (node instanceof Node.Binary binary && binary.operator().compares()) {
            return comparison(binary, result.isTrue(), scope);
        }
        return is(node, result.orElse(null));
    }

    private static boolean compares(Node node) {
        return node instanceof Node.Binary binary && binary.operator().compares();
    }

    private static String joined(
            Node left, Node right, Value result, Scope scope, boolean decides) {
        if (result.orElse(null).equals(decides)) {
            Value first = Value.of(Evaluator.evaluate(left, scope));
            return of(first.equals(result) ? left : right, scope);
        }
        return of(left, scope) + " and " + of(right, scope);
    }

    private static String comparison(Node.Binary binary, boolean holds, Scope scope) {
        Node left = binary.left();
        Node right = binary.right();
        String sign = binary.operator().sign;
        if (left instanceof Node.Literal && !(right instanceof Node.Literal)) {
            // "1 < size(x)" is told as "size(x) is …, wanted > 1".
            String turned = turned(binary.operator());
            if (turned != null) {
                left = binary.right();
                right = binary.left();
                sign = turned;
            }
        }
        String said = is(left, Evaluator.evaluate(left, scope));
        if (holds && binary.operator() == Operator.EQ) {
            return said;
        }
        String limit = Printer.print(right);
        if (!(right instanceof Node.Literal || right instanceof Node.Items)) {
            limit += " (" + shown(Evaluator.evaluate(right, scope)) + ")";
        }
        return said + (holds ? ", as wanted: " : ", wanted ") + sign + " " + limit;
    }

    private static String turned(Operator operator) {
        return switch (operator) {
            case LT -> ">";
            case LE -> ">=";
            case GT -> "<";
            case GE -> "<=";
            case EQ, NE -> operator.sign;
            default -> null;
        };
    }

    private static String is(Node node, Object value) {
        String text = Printer.print(node);
        String shown = shown(value);
        return text.equals(shown) ? text : text + " is " + shown;
    }

    private static String shown(Object value) {
        String text = value instanceof String s ? Printer.literal(s) : Plain.display(value);
        return text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE) + "…";
    }
}
