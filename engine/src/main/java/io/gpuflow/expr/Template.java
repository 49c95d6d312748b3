package io.gpuflow.expr;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Text with <code>${{ expression }}</code> in it. A text that is one such expression and nothing
 * else keeps the expression's type. A dollar sign more in front makes it plain text.
 */
public final class Template {
    private static final String OPEN = "${{";
    private static final String CLOSE = "}}";

    /** A piece of plain text, or an expression at an offset of the whole. */
    private record Piece(String text, Expr expr, int offset) {}

    private final String source;
    private final List<Piece> pieces;

    private Template(String source, List<Piece> pieces) {
        this.source = source;
        this.pieces = pieces;
    }

    /**
     * Reads a text.
     *
     * @throws ExprException for the first expression that can't be read, with its offset in the
     *     text
     */
    public static Template parse(String source) throws ExprException {
        List<Piece> pieces = new ArrayList<>();
        StringBuilder plain = new StringBuilder();
        int at = 0;
        for (int open = source.indexOf(OPEN); open >= 0; open = source.indexOf(OPEN, at)) {
            plain.append(source, at, open);
            if (open > at && source.charAt(open - 1) == '$') {
                plain.setLength(plain.length() - 1);
                plain.append(OPEN);
                at = open + OPEN.length();
                continue;
            }
            int start = open + OPEN.length();
            int close = close(source, start);
            if (close < 0) {
                throw new ExprException(open, OPEN.length(), "${{ is not closed", "add }}");
            }
            if (!plain.isEmpty()) {
                pieces.add(new Piece(plain.toString(), null, 0));
                plain.setLength(0);
            }
            pieces.add(new Piece(null, expression(source, start, close), start));
            at = close + CLOSE.length();
        }
        plain.append(source.substring(at));
        if (!plain.isEmpty() || pieces.isEmpty()) {
            pieces.add(new Piece(plain.toString(), null, 0));
        }
        return new Template(source, List.copyOf(pieces));
    }

    /** A text without expressions, whatever it looks like. */
    public static Template plain(String text) {
        return new Template(text, List.of(new Piece(text, null, 0)));
    }

    private static Expr expression(String source, int start, int close) throws ExprException {
        try {
            return Expr.parse(source.substring(start, close));
        } catch (ExprException e) {
            throw new ExprException(e.problem().shifted(start));
        }
    }

    /** The first }} that is not inside a quoted text of the expression. */
    private static int close(String source, int start) {
        char quote = 0;
        for (int i = start; i < source.length(); i++) {
            char c = source.charAt(i);
            if (quote != 0) {
                i += c == '\\' ? 1 : 0;
                quote = c == quote ? 0 : quote;
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (source.startsWith(CLOSE, i)) {
                return i;
            }
        }
        return source.indexOf(CLOSE, start);
    }

    /** True when the text has no expression in it. */
    public boolean isPlain() {
        return pieces.size() == 1 && pieces.get(0).expr == null;
    }

    /** True when the text is one expression and nothing else. */
    public boolean isExpression() {
        return pieces.size() == 1 && pieces.get(0).expr != null;
    }

    /** The value: that of the expression itself when it is the whole text, else text. */
    public Value evaluate(Scope scope) {
        if (isExpression()) {
            return pieces.get(0).expr.evaluate(scope);
        }
        return text(scope);
    }

    /** The value as text, for arguments and variables: the items of a list joined by commas. */
    public Value text(Scope scope) {
        StringBuilder text = new StringBuilder();
        for (Piece piece : pieces) {
            if (piece.expr == null) {
                text.append(piece.text);
                continue;
            }
            Value value = piece.expr.evaluate(scope);
            if (!(value instanceof Value.Known known)) {
                return value;
            }
            if (known.value() == null) {
                return new Value.Unknown(piece.expr.text() + " has no value");
            }
            text.append(Plain.display(known.value()));
        }
        return new Value.Known(text.toString());
    }

    /** Text with each unknown part shown as ?, for messages that must be printed in any case. */
    public String show(Scope scope) {
        StringBuilder text = new StringBuilder();
        for (Piece piece : pieces) {
            Value value = piece.expr == null ? null : piece.expr.evaluate(scope);
            text.append(value == null ? piece.text : Plain.display(value.orElse("?")));
        }
        return text.toString();
    }

    /** The parts of a root name that its expressions name, like {@link Expr#parts}. */
    public Set<String> parts(String name) {
        Set<String> parts = new TreeSet<>();
        for (Piece piece : pieces) {
            if (piece.expr != null) {
                parts.addAll(piece.expr.parts(name));
            }
        }
        return parts;
    }

    /** Checks names and types, like {@link Expr#check}; offsets are those of the whole text. */
    public Type check(Type.Fields scope, List<ExprProblem> problems) {
        List<ExprProblem> found = new ArrayList<>();
        Type type = Type.TEXT;
        for (Piece piece : pieces) {
            if (piece.expr != null) {
                found.clear();
                Type one = piece.expr.check(scope, found);
                found.forEach(p -> problems.add(p.shifted(piece.offset)));
                type = isExpression() ? one : type;
            }
        }
        return type;
    }

    /**
     * Fills in the templates inside of nested lists and maps.
     *
     * @return the same shape with plain values, or the first Unknown met
     */
    public static Value fill(Object tree, Scope scope) {
        if (tree instanceof Template template) {
            return template.evaluate(scope);
        }
        if (tree instanceof List<?> list) {
            List<Object> filled = new ArrayList<>();
            for (Object item : list) {
                Value value = fill(item, scope);
                if (!(value instanceof Value.Known known)) {
                    return value;
                }
                filled.add(known.value());
            }
            return new Value.Known(filled);
        }
        if (tree instanceof Map<?, ?> map) {
            Map<String, Object> filled = new LinkedHashMap<>();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                Value value = fill(entry.getValue(), scope);
                if (!(value instanceof Value.Known known)) {
                    return value;
                }
                filled.put((String) entry.getKey(), known.value());
            }
            return new Value.Known(filled);
        }
        return Value.of(tree);
    }

    /** The text as it was written. */
    @Override
    public String toString() {
        return source;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Template template && source.equals(template.source);
    }

    @Override
    public int hashCode() {
        return source.hashCode();
    }
}
