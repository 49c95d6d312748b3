package io.gpuflow.expr;

import io.gpuflow.expr.Value.Unknown;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Computes an expression. What can't be computed, such as a missing key or a division by zero, is
 * unknown with the reason; {@code &&}, {@code ||}, {@code all} and {@code exists} see past an
 * unknown where the rest decides. The number of steps is limited.
 */
final class Evaluator {
    private static final int MOST_STEPS = 1_000_000;

    private int steps;

    /** A plain value or an Unknown. */
    static Object evaluate(Node node, Scope scope) {
        try {
            return new Evaluator().value(node, scope);
        } catch (TooLong e) {
            return new Unknown("the expression takes too many steps");
        }
    }

    private Object value(Node node, Scope scope) throws TooLong {
        spend(1);
        if (node instanceof Node.Literal literal) {
            return literal.value();
        }
        if (node instanceof Node.Name name) {
            return Plain.of(scope.get(name.name()));
        }
        if (node instanceof Node.Field field) {
            return part(value(field.target(), scope), field.field());
        }
        if (node instanceof Node.Index index) {
            return index(index, scope);
        }
        if (node instanceof Node.Has has) {
            Object target = value(has.field().target(), scope);
            return target instanceof Map<?, ?> map
                    && map.containsKey(has.field().field())
                    && !(map.get(has.field().field()) instanceof Unknown);
        }
        if (node instanceof Node.And and) {
            return both(value(and.left(), scope), and.right(), scope, Boolean.FALSE);
        }
        if (node instanceof Node.Or or) {
            return both(value(or.left(), scope), or.right(), scope, Boolean.TRUE);
        }
        if (node instanceof Node.Choice choice) {
            Object condition = truth(value(choice.condition(), scope), "? :");
            if (condition instanceof Unknown) {
                return condition;
            }
            return value(condition.equals(true) ? choice.yes() : choice.no(), scope);
        }
        if (node instanceof Node.Loop loop) {
            return loop(loop, scope);
        }
        return strict(node, scope);
    }

    /** Operators and functions that need all their operands. */
    private Object strict(Node node, Scope scope) throws TooLong {
        if (node instanceof Node.Items items) {
            return all(items.items(), scope);
        }
        if (node instanceof Node.Not not) {
            Object operand = truth(value(not.operand(), scope), "!");
            return operand instanceof Boolean b ? (Object) !b : operand;
        }
        if (node instanceof Node.Minus minus) {
            Object operand = value(minus.operand(), scope);
            return operand instanceof Unknown ? operand : Arithmetic.negate(operand);
        }
        if (node instanceof Node.Binary binary) {
            Object left = value(binary.left(), scope);
            if (left instanceof Unknown) {
                return left;
            }
            Object right = value(binary.right(), scope);
            return right instanceof Unknown ? right : binary(binary.operator(), left, right);
        }
        Node.Call call = (Node.Call) node;
        Object arguments = all(call.arguments(), scope);
        if (arguments instanceof List<?> list) {
            spend(weight(list.get(0)));
            return Functions.call(call.function(), list);
        }
        return arguments;
    }

    private Object binary(Operator operator, Object left, Object right) throws TooLong {
        spend(Math.max(weight(left), weight(right)));
        return switch (operator) {
            case EQ -> Plain.equal(left, right);
            case NE -> {
                Object same = Plain.equal(left, right);
                yield same instanceof Boolean b ? (Object) !b : same;
            }
            case IN -> Functions.in(left, right);
            case LT, LE, GT, GE -> Arithmetic.order(operator, left, right);
            default -> Arithmetic.compute(operator, left, right);
        };
    }

    private Object both(Object left, Node other, Scope scope, Boolean decides) throws TooLong {
        String sign = decides ? "||" : "&&";
        Object first = truth(left, sign);
        if (first.equals(decides)) {
            return first;
        }
        Object second = truth(value(other, scope), sign);
        return second.equals(decides) || first instanceof Boolean ? second : first;
    }

    private static Object truth(Object value, String sign) {
        if (value instanceof Boolean || value instanceof Unknown) {
            return value;
        }
        return new Unknown(sign + " needs true or false, not " + Plain.typeOf(value));
    }

    private Object all(List<Node> nodes, Scope scope) throws TooLong {
        List<Object> values = new ArrayList<>(nodes.size());
        for (Node node : nodes) {
            Object value = value(node, scope);
            if (value instanceof Unknown) {
                return value;
            }
            values.add(value);
        }
        return values;
    }

    private static Object part(Object target, String key) {
        if (target instanceof Unknown) {
            return target;
        }
        if (!(target instanceof Map<?, ?> map)) {
            return new Unknown(Plain.typeOf(target) + " has no ." + key);
        }
        return map.containsKey(key) ? Plain.of(map.get(key)) : new Unknown("there is no " + key);
    }

    private Object index(Node.Index node, Scope scope) throws TooLong {
        Object target = value(node.target(), scope);
        if (target instanceof Unknown) {
            return target;
        }
        Object index = value(node.index(), scope);
        if (index instanceof Unknown) {
            return index;
        }
        if (target instanceof List<?> list) {
            return item(list, index);
        }
        if (index instanceof String key) {
            return part(target, key);
        }
        return new Unknown(Plain.typeOf(target) + " can't be asked for " + Plain.display(index));
    }

    private static Object item(List<?> list, Object index) {
        if (index instanceof Double d && d == Math.rint(d)) {
            index = d.longValue();
        }
        if (!(index instanceof Long at)) {
            return new Unknown("a list is indexed by an int, not by " + Plain.typeOf(index));
        }
        if (at < 0 || at >= list.size()) {
            return new Unknown("the list has " + list.size() + " items, there is no item " + at);
        }
        return Plain.of(list.get(at.intValue()));
    }

    private Object loop(Node.Loop loop, Scope scope) throws TooLong {
        Object range = value(loop.range(), scope);
        if (range instanceof Unknown) {
            return range;
        }
        if (range instanceof Map<?, ?> map) {
            range = List.copyOf(map.keySet());
        }
        if (!(range instanceof Collection<?> items)) {
            return new Unknown(
                    loop.kind().word() + " goes over a list, not over " + Plain.typeOf(range));
        }
        return switch (loop.kind()) {
            case ALL -> every(loop, items, scope, Boolean.FALSE);
            case EXISTS -> every(loop, items, scope, Boolean.TRUE);
            case FILTER, MAP -> collect(loop, items, scope);
        };
    }

    private Object every(Node.Loop loop, Collection<?> items, Scope scope, Boolean decides)
            throws TooLong {
        Object result = !decides;
        for (Object item : items) {
            Object one =
                    truth(value(loop.body(), scope.with(loop.name(), item)), loop.kind().word());
            if (one.equals(decides)) {
                return one;
            }
            if (one instanceof Unknown && result instanceof Boolean) {
                result = one;
            }
        }
        return result;
    }

    private Object collect(Node.Loop loop, Collection<?> items, Scope scope) throws TooLong {
        boolean filter = loop.kind() == Node.Loop.Kind.FILTER;
        Node condition = filter ? loop.body() : loop.only();
        List<Object> result = new ArrayList<>();
        for (Object item : items) {
            Scope inner = scope.with(loop.name(), item);
            Object wanted =
                    condition == null ? true : truth(value(condition, inner), loop.kind().word());
            if (wanted instanceof Unknown) {
                return wanted;
            }
            if (wanted.equals(true)) {
                Object value = filter ? Plain.of(item) : value(loop.body(), inner);
                if (value instanceof Unknown) {
                    return value;
                }
                result.add(value);
            }
        }
        return result;
    }

    /** What it costs to look at a whole value. */
    private static int weight(Object value) {
        if (value instanceof String s) {
            return s.length() / 64;
        }
        return value instanceof Collection<?> c ? c.size() : 0;
    }

    private void spend(int cost) throws TooLong {
        steps += cost;
        if (steps > MOST_STEPS) {
            throw new TooLong();
        }
    }

    private static final class TooLong extends Exception {
        private static final long serialVersionUID = 1L;

        TooLong() {
            super(null, null, false, false);
        }
    }
}
