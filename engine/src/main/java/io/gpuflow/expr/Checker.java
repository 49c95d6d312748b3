package io.gpuflow.expr;

import com.google.re2j.PatternSyntaxException;
import io.gpuflow.expr.Type.Basic;
import java.util.List;

/** Finds wrong names and types in an expression before there are values. */
final class Checker {
    private final List<ExprProblem> problems;

    /** The name just reported was cut short by a dash in it. */
    private boolean dashed;

    Checker(List<ExprProblem> problems) {
        this.problems = problems;
    }

    Type check(Node node, Type.Fields scope) {
        if (node instanceof Node.Literal literal) {
            return ofLiteral(literal.value());
        }
        if (node instanceof Node.Name name) {
            return name(name, scope);
        }
        if (node instanceof Node.Field field) {
            return part(check(field.target(), scope), field.field(), field.at(), field.target());
        }
        if (node instanceof Node.Index index) {
            return index(index, scope);
        }
        if (node instanceof Node.Items items) {
            return items(items, scope);
        }
        if (node instanceof Node.Has has) {
            check(has.field(), scope);
            return Type.BOOL;
        }
        if (node instanceof Node.Not not) {
            wantBool(not.operand(), scope, "!");
            return Type.BOOL;
        }
        if (node instanceof Node.Minus minus) {
            return minus(minus, scope);
        }
        if (node instanceof Node.And and) {
            return logic(and.left(), and.right(), scope, "&&");
        }
        if (node instanceof Node.Or or) {
            return logic(or.left(), or.right(), scope, "||");
        }
        if (node instanceof Node.Choice choice) {
            wantBool(choice.condition(), scope, "? :");
            Type yes = check(choice.yes(), scope);
            return join(yes, check(choice.no(), scope));
        }
        if (node instanceof Node.Loop loop) {
            return loop(loop, scope);
        }
        if (node instanceof Node.Binary binary) {
            return binary(binary, scope);
        }
        return call((Node.Call) node, scope);
    }

    private static Type ofLiteral(Object value) {
        if (value == null) {
            return Type.NULL;
        }
        if (value instanceof Boolean) {
            return Type.BOOL;
        }
        if (value instanceof String) {
            return Type.TEXT;
        }
        return value instanceof Long ? Type.INT : Type.DOUBLE;
    }

    private Type name(Node.Name node, Type.Fields scope) {
        Type type = scope.fields().get(node.name());
        if (type != null) {
            return type;
        }
        boolean elsewhere = scope.absent().containsKey(node.name());
        String says =
                elsewhere
                        ? node.name() + " can't be used here"
                        : "there is no " + node.name() + " here";
        missing(scope, says, node.name(), node.at());
        return Type.ANY;
    }

    private Type part(Type target, String key, int at, Node owner) {
        if (target instanceof Type.Fields fields) {
            Type type = fields.fields().get(key);
            if (type == null) {
                missing(fields, key, at, owner);
            }
            return type == null ? Type.ANY : type;
        }
        if (target instanceof Type.MapOf map) {
            return map.value();
        }
        if (target != Type.ANY) {
            String of = Printer.print(owner);
            boolean list = target instanceof Type.ListOf;
            String next = list ? "ask its items: " + of + ".exists(x, x." + key + " …)" : "";
            report(at, key, of + " is " + target + ", it has no " + key, next);
        }
        return Type.ANY;
    }

    private void missing(Type.Fields fields, String key, int at, Node owner) {
        String says = fields.what() + " has no " + key;
        // steps.ddp-smoke reads as steps.ddp minus smoke.
        for (String known : fields.fields().keySet()) {
            if (known.startsWith(key + "-")) {
                String next = "write " + Printer.print(owner) + "[\"" + known + "\"]";
                report(at, key, says, next + ": a - in a name would be a minus");
                dashed = true;
                return;
            }
        }
        missing(fields, says, key, at);
    }

    private void missing(Type.Fields fields, String says, String key, int at) {
        String why = fields.absent().get(key);
        String next = why != null ? why : Nearest.hint(key, fields.fields().keySet());
        next = next.isEmpty() ? fields.what() + " has no names at all" : next;
        report(at, key, says, next);
    }

    private Type index(Node.Index node, Type.Fields scope) {
        Type target = check(node.target(), scope);
        Type index = check(node.index(), scope);
        if (node.index() instanceof Node.Literal literal && literal.value() instanceof String key) {
            return part(target, key, literal.at(), node.target());
        }
        if (target instanceof Type.ListOf list) {
            if (index != Type.INT && index != Type.ANY) {
                report(node.index(), "a list is indexed by an int, this is " + index, "");
            }
            return list.item();
        }
        if (target instanceof Type.MapOf map) {
            return map.value();
        }
        if (target != Type.ANY && !(target instanceof Type.Fields)) {
            report(node.index(), Printer.print(node.target()) + " is " + target + ", no list", "");
        }
        return Type.ANY;
    }

    private Type items(Node.Items node, Type.Fields scope) {
        Type common = null;
        for (Node item : node.items()) {
            Type type = check(item, scope);
            common = common == null ? type : join(common, type);
        }
        return Type.listOf(common == null ? Type.ANY : common);
    }

    private static Type join(Type a, Type b) {
        return a.equals(b) ? a : Type.ANY;
    }

    private void wantBool(Node node, Type.Fields scope, String sign) {
        Type type = check(node, scope);
        if (type != Type.BOOL && type != Type.ANY) {
            String next =
                    type instanceof Type.ListOf || type == Type.TEXT
                            ? "compare it: size(" + Printer.print(node) + ") > 0"
                            : "compare it: " + Printer.print(node) + " != …";
            report(node, sign + " needs true or false, this is " + type, next);
        }
    }

    private Type logic(Node left, Node right, Type.Fields scope, String sign) {
        wantBool(left, scope, sign);
        wantBool(right, scope, sign);
        return Type.BOOL;
    }

    private Type minus(Node.Minus node, Type.Fields scope) {
        Type type = check(node.operand(), scope);
        if (type != Type.INT && type != Type.DOUBLE && type != Type.ANY) {
            report(node.operand(), "- needs a number, this is " + type, "");
            return Type.ANY;
        }
        return type;
    }

    private Type loop(Node.Loop node, Type.Fields scope) {
        Type range = check(node.range(), scope);
        Type item = Type.ANY;
        if (range instanceof Type.ListOf list) {
            item = list.item();
        } else if (range instanceof Type.MapOf || range instanceof Type.Fields) {
            item = Type.TEXT;
        } else if (range != Type.ANY) {
            String says = node.kind().word() + " goes over a list, this is " + range;
            report(node.range(), says, "");
        }
        Type.Fields inner = scope.with(node.name(), item);
        if (node.kind() != Node.Loop.Kind.MAP) {
            wantBool(node.body(), inner, node.kind().word());
            return node.kind() == Node.Loop.Kind.FILTER ? Type.listOf(item) : Type.BOOL;
        }
        if (node.only() != null) {
            wantBool(node.only(), inner, "map");
        }
        return Type.listOf(check(node.body(), inner));
    }

    private Type binary(Node.Binary node, Type.Fields scope) {
        Type left = check(node.left(), scope);
        Operator operator = node.operator();
        if (dashed && operator == Operator.SUBTRACT) {
            // What follows the - is the rest of the name that was reported.
            dashed = false;
            return Type.ANY;
        }
        Type right = check(node.right(), scope);
        if (operator == Operator.IN) {
            return in(node, left, right);
        }
        if (operator.compares()) {
            boolean fits =
                    operator.orders()
                            ? Overloads.ordered(left, right)
                            : Overloads.equal(left, right);
            if (!fits) {
                report(
                        node,
                        operator.sign + " can't compare " + left + " with " + right,
                        hint(left, right));
            }
            return Type.BOOL;
        }
        Type result = Overloads.result(operator, left, right);
        if (result == null) {
            String says = operator.sign + " can't join " + left + " and " + right;
            report(node, says, hint(left, right));
            return Type.ANY;
        }
        return result;
    }

    private static String hint(Type left, Type right) {
        if (Overloads.number(left) && Overloads.number(right)) {
            return "write a whole number as 2.0, or convert with double(x) or int(x)";
        }
        boolean text = left == Type.TEXT || right == Type.TEXT;
        if (text && (left == Type.DURATION || right == Type.DURATION)) {
            return "write duration(\"90s\")";
        }
        boolean number = Overloads.number(left) || Overloads.number(right);
        return text && number ? "convert with int(x), double(x) or string(x)" : "";
    }

    private Type in(Node.Binary node, Type item, Type container) {
        if (container instanceof Type.ListOf list) {
            if (!Overloads.equal(item, list.item())) {
                report(node, item + " is never in a list of " + list.item(), "");
            }
        } else if (container instanceof Basic && container != Type.ANY) {
            String next = container == Type.TEXT ? "write x.contains(y)" : "";
            report(node.right(), "in needs a list, this is " + container, next);
        }
        return Type.BOOL;
    }

    private Type call(Node.Call node, Type.Fields scope) {
        Function function = node.function();
        for (int i = 0; i < node.arguments().size(); i++) {
            Node argument = node.arguments().get(i);
            Type type = check(argument, scope);
            if (!Overloads.accepts(function, type)) {
                report(argument, function.word + " can't be asked of " + type, "");
            }
        }
        if (function == Function.MATCHES) {
            pattern(node.arguments().get(1));
        }
        if (function == Function.DURATION
                && node.arguments().get(0) instanceof Node.Literal literal
                && literal.value() instanceof String text
                && Durations.parse(text) == null) {
            report(literal, "not a duration", "write 90s, 5m or 1h30m");
        }
        return Overloads.result(function);
    }

    private void pattern(Node node) {
        if (node instanceof Node.Literal literal && literal.value() instanceof String text) {
            try {
                Patterns.compile(text);
            } catch (PatternSyntaxException e) {
                report(node, Patterns.problem(e), Patterns.HINT);
            }
        }
    }

    private void report(Node node, String says, String next) {
        problems.add(new ExprProblem(start(node), length(node), says, next));
    }

    private void report(int at, String word, String says, String next) {
        problems.add(new ExprProblem(at, word.length(), says, next));
    }

    /** Where the text of a node begins; an operator's own position is in its middle. */
    private static int start(Node node) {
        return node instanceof Node.Binary binary ? binary.at() : node.at();
    }

    private static int length(Node node) {
        return node instanceof Node.Binary binary ? binary.operator().sign.length() : 1;
    }
}
