package io.gpuflow.expr;

import java.util.List;
import java.util.stream.Collectors;

/** Writes a tree as an expression again, with no more parentheses than needed. */
final class Printer {
    private static final int CHOICE = 0;
    private static final int OR = 1;
    private static final int AND = 2;
    private static final int UNARY = 6;
    private static final int MEMBER = 7;

    private Printer() {}

    static String print(Node node) {
        if (node instanceof Node.Literal literal) {
            return literal(literal.value());
        }
        if (node instanceof Node.Name name) {
            return name.name();
        }
        if (node instanceof Node.Field field) {
            return inside(field.target(), MEMBER) + "." + field.field();
        }
        if (node instanceof Node.Index index) {
            return inside(index.target(), MEMBER) + "[" + print(index.index()) + "]";
        }
        if (node instanceof Node.Items items) {
            return "[" + list(items.items()) + "]";
        }
        if (node instanceof Node.Has has) {
            return "has(" + print(has.field()) + ")";
        }
        if (node instanceof Node.Not not) {
            // Two signs in a row would cancel each other.
            return "!" + inside(not.operand(), MEMBER);
        }
        if (node instanceof Node.Minus minus) {
            return minus(minus.operand());
        }
        if (node instanceof Node.Call call) {
            return call(call);
        }
        if (node instanceof Node.Loop loop) {
            return loop(loop);
        }
        return infix(node);
    }

    private static String infix(Node node) {
        if (node instanceof Node.And and) {
            return inside(and.left(), AND) + " && " + inside(and.right(), AND + 1);
        }
        if (node instanceof Node.Or or) {
            return inside(or.left(), OR) + " || " + inside(or.right(), OR + 1);
        }
        if (node instanceof Node.Binary binary) {
            Operator operator = binary.operator();
            return inside(binary.left(), operator.strength)
                    + " "
                    + operator.sign
                    + " "
                    + inside(binary.right(), operator.strength + 1);
        }
        Node.Choice choice = (Node.Choice) node;
        return inside(choice.condition(), OR)
                + " ? "
                + inside(choice.yes(), OR)
                + " : "
                + inside(choice.no(), CHOICE);
    }

    /** A minus directly before a number would become part of the number. */
    private static String minus(Node operand) {
        String text = inside(operand, MEMBER);
        boolean number = text.charAt(0) >= '0' && text.charAt(0) <= '9';
        return number ? "-(" + text + ")" : "-" + text;
    }

    private static String call(Node.Call call) {
        List<Node> arguments = call.arguments();
        if (!call.method()) {
            return call.function().word + "(" + list(arguments) + ")";
        }
        return inside(arguments.get(0), MEMBER)
                + "."
                + call.function().word
                + "("
                + list(arguments.subList(1, arguments.size()))
                + ")";
    }

    private static String loop(Node.Loop loop) {
        String only = loop.only() == null ? "" : print(loop.only()) + ", ";
        return inside(loop.range(), MEMBER)
                + "."
                + loop.kind().word()
                + "("
                + loop.name()
                + ", "
                + only
                + print(loop.body())
                + ")";
    }

    private static String list(List<Node> nodes) {
        return nodes.stream().map(Printer::print).collect(Collectors.joining(", "));
    }

    private static String inside(Node node, int strength) {
        return strength(node) < strength ? "(" + print(node) + ")" : print(node);
    }

    private static int strength(Node node) {
        if (node instanceof Node.Choice) {
            return CHOICE;
        }
        if (node instanceof Node.Or) {
            return OR;
        }
        if (node instanceof Node.And) {
            return AND;
        }
        if (node instanceof Node.Binary binary) {
            return binary.operator().strength;
        }
        boolean negative =
                node instanceof Node.Literal literal
                        && literal.value() instanceof Number
                        && literal(literal.value()).startsWith("-");
        if (node instanceof Node.Not || node instanceof Node.Minus || negative) {
            return UNARY;
        }
        return MEMBER;
    }

    static String literal(Object value) {
        if (!(value instanceof String text)) {
            return String.valueOf(value);
        }
        StringBuilder out = new StringBuilder("\"");
        text.codePoints().forEach(c -> character(out, c));
        return out.append('"').toString();
    }

    private static void character(StringBuilder out, int c) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                if (c < ' ' || c == 0x7f) {
                    out.append(String.format("\\x%02x", c));
                } else {
                    out.appendCodePoint(c);
                }
            }
        }
    }
}
