package io.gpuflow.expr;

import java.util.List;
import java.util.stream.Collectors;

/** Writes an expression with dyn() around each part, so that CEL's checker lets it pass. */
final class Untyped {
    private Untyped() {}

    static String print(Node node) {
        return "dyn(" + bare(node) + ")";
    }

    private static String bare(Node node) {
        if (node instanceof Node.Field field) {
            return print(field.target()) + "." + field.field();
        }
        if (node instanceof Node.Index index) {
            return print(index.target()) + "[" + print(index.index()) + "]";
        }
        if (node instanceof Node.Items items) {
            return "[" + list(items.items()) + "]";
        }
        if (node instanceof Node.Has has) {
            return "has(" + bare(has.field()) + ")";
        }
        if (node instanceof Node.Not not) {
            return "!" + print(not.operand());
        }
        if (node instanceof Node.Minus minus) {
            return "-" + print(minus.operand());
        }
        if (node instanceof Node.And and) {
            return print(and.left()) + " && " + print(and.right());
        }
        if (node instanceof Node.Or or) {
            return print(or.left()) + " || " + print(or.right());
        }
        if (node instanceof Node.Choice c) {
            return print(c.condition()) + " ? " + print(c.yes()) + " : " + print(c.no());
        }
        if (node instanceof Node.Binary b) {
            return print(b.left()) + " " + b.operator().sign + " " + print(b.right());
        }
        if (node instanceof Node.Loop loop) {
            String only = loop.only() == null ? "" : print(loop.only()) + ", ";
            String head = print(loop.range()) + "." + loop.kind().word() + "(" + loop.name() + ", ";
            return head + only + print(loop.body()) + ")";
        }
        return node instanceof Node.Call call ? call(call) : Printer.print(node);
    }

    private static String call(Node.Call call) {
        String word = call.function().word;
        List<Node> arguments = call.arguments();
        if (!call.method()) {
            return word + "(" + list(arguments) + ")";
        }
        String rest = list(arguments.subList(1, arguments.size()));
        return print(arguments.get(0)) + "." + word + "(" + rest + ")";
    }

    private static String list(List<Node> nodes) {
        return nodes.stream().map(Untyped::print).collect(Collectors.joining(", "));
    }
}
