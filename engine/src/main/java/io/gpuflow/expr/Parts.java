package io.gpuflow.expr;

import java.util.Set;

/** Which parts of a root name an expression names: gpu in {@code facts.gpu[0].model}. */
final class Parts {
    private Parts() {}

    static void collect(Node node, String root, Set<String> parts) {
        if (node instanceof Node.Field field) {
            if (field.target() instanceof Node.Name name && name.name().equals(root)) {
                parts.add(field.field());
            } else {
                collect(field.target(), root, parts);
            }
        } else if (node instanceof Node.Index index) {
            if (index.target() instanceof Node.Name name
                    && name.name().equals(root)
                    && index.index() instanceof Node.Literal literal
                    && literal.value() instanceof String text) {
                parts.add(text);
            } else {
                collect(index.target(), root, parts);
                collect(index.index(), root, parts);
            }
        } else if (node instanceof Node.Has has) {
            collect(has.field(), root, parts);
        } else if (node instanceof Node.Loop loop) {
            collect(loop.range(), root, parts);
            if (loop.only() != null) {
                collect(loop.only(), root, parts);
            }
            collect(loop.body(), root, parts);
        } else {
            operands(node).forEach(operand -> collect(operand, root, parts));
        }
    }

    private static Iterable<Node> operands(Node node) {
        if (node instanceof Node.Items items) {
            return items.items();
        }
        if (node instanceof Node.Call call) {
            return call.arguments();
        }
        if (node instanceof Node.Not not) {
            return java.util.List.of(not.operand());
        }
        if (node instanceof Node.Minus minus) {
            return java.util.List.of(minus.operand());
        }
        if (node instanceof Node.And and) {
            return java.util.List.of(and.left(), and.right());
        }
        if (node instanceof Node.Or or) {
            return java.util.List.of(or.left(), or.right());
        }
        if (node instanceof Node.Binary binary) {
            return java.util.List.of(binary.left(), binary.right());
        }
        if (node instanceof Node.Choice choice) {
            return java.util.List.of(choice.condition(), choice.yes(), choice.no());
        }
        return java.util.List.of();
    }
}
