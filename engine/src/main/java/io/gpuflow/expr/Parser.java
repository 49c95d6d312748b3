package io.gpuflow.expr;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Turns an expression's text into a tree. Depth and length are limited, so it always ends soon. */
final class Parser {
    static final int LONGEST = 10_000;

    /** Deepest tree; CEL asks for at least 32 of the constructs that nest. */
    static final int DEEPEST = 200;

    private static final int WEAKEST = 3;
    private static final int STRONGEST = 5;

    private final String text;
    private final Lexer lexer;
    private Token token;
    private int depth;

    private Parser(String text) {
        this.text = text;
        this.lexer = new Lexer(text);
    }

    static Node parse(String text) throws ExprException {
        if (text.length() > LONGEST) {
            throw new ExprException(
                    0, 1, "the expression is longer than " + LONGEST + " characters", "split it");
        }
        Parser parser = new Parser(text);
        parser.token = parser.lexer.next();
        if (parser.token.kind() == Token.Kind.END) {
            throw new ExprException(0, text.length(), "the expression is empty", "");
        }
        Node node = parser.expression();
        if (parser.token.kind() != Token.Kind.END) {
            throw parser.unexpected("the end, or an operator such as && or ==");
        }
        return node;
    }

    private Node expression() throws ExprException {
        enter();
        Node condition = or();
        int at = token.at();
        if (take("?")) {
            Node yes = or();
            expect(":", "the : of … ? … : …");
            Node no = expression();
            condition = new Node.Choice(condition, yes, no, at);
        }
        depth--;
        return condition;
    }

    private Node or() throws ExprException {
        Node left = and();
        int before = depth;
        for (int at = token.at(); take("||"); at = token.at()) {
            enter();
            left = new Node.Or(left, and(), at);
        }
        depth = before;
        return left;
    }

    private Node and() throws ExprException {
        Node left = binary(WEAKEST);
        int before = depth;
        for (int at = token.at(); take("&&"); at = token.at()) {
            enter();
            left = new Node.And(left, binary(WEAKEST), at);
        }
        depth = before;
        return left;
    }

    private Node binary(int strength) throws ExprException {
        if (strength > STRONGEST) {
            return unary();
        }
        Node left = binary(strength + 1);
        int before = depth;
        for (Operator operator = operator(strength);
                operator != null;
                operator = operator(strength)) {
            int at = token.at();
            advance();
            enter();
            left = new Node.Binary(operator, left, binary(strength + 1), at);
        }
        depth = before;
        return left;
    }

    private Operator operator(int strength) {
        boolean sign = token.kind() == Token.Kind.SIGN || token.kind() == Token.Kind.NAME;
        return sign ? Operator.of((String) token.value(), strength) : null;
    }

    private Node unary() throws ExprException {
        if (!token.is("!") && !token.is("-")) {
            return member();
        }
        enter();
        int at = token.at();
        boolean not = token.is("!");
        int signs = 0;
        while (token.is(not ? "!" : "-")) {
            advance();
            signs++;
        }
        if (!not && token.value() instanceof Number) {
            negate(at);
            signs--;
        }
        Node operand = member();
        depth--;
        // As in CEL, two signs cancel each other.
        if (signs % 2 == 0) {
            return operand;
        }
        return not ? new Node.Not(operand, at) : new Node.Minus(operand, at);
    }

    /** A sign directly before a number is part of it, which the smallest int needs. */
    private void negate(int at) {
        token = new Token(Token.Kind.LITERAL, negative((Number) token.value()), at, token.end());
    }

    private static Object negative(Number number) {
        if (number instanceof BigInteger) {
            return Long.MIN_VALUE;
        }
        return number instanceof Double d ? (Object) (-d) : (Object) (-number.longValue());
    }

    private Node member() throws ExprException {
        Node node = primary();
        int before = depth;
        while (true) {
            int at = token.at();
            if (take(".")) {
                enter();
                Token field = name("a field or function after the .");
                node = take("(") ? method(node, field) : field(node, field);
            } else if (take("[")) {
                enter();
                node = new Node.Index(node, expression(), at);
                expect("]", "a closing ]");
            } else {
                depth = before;
                return node;
            }
        }
    }

    private static Node.Field field(Node target, Token field) {
        return new Node.Field(target, (String) field.value(), field.at());
    }

    private Node primary() throws ExprException {
        int at = token.at();
        if (token.is("-")) {
            advance();
            if (!(token.value() instanceof Number)) {
                throw unexpected("a number after the -");
            }
            negate(at);
        }
        if (token.kind() == Token.Kind.LITERAL) {
            Object value = token.value();
            if (value instanceof BigInteger) {
                throw new ExprException(at, token.end() - at, "the int is too large", "");
            }
            advance();
            return new Node.Literal(value, at);
        }
        if (take("(")) {
            Node inner = expression();
            expect(")", "a closing )");
            return inner;
        }
        if (take("[")) {
            return new Node.Items(arguments("]"), at);
        }
        if (token.kind() != Token.Kind.NAME || token.is("in")) {
            throw unexpected("a value, a name or (");
        }
        Token name = token;
        advance();
        return take("(") ? call(name) : new Node.Name((String) name.value(), at);
    }

    private Node call(Token name) throws ExprException {
        if (name.is("has")) {
            Node argument = expression();
            if (!(argument instanceof Node.Field field)) {
                throw new ExprException(
                        argument.at(), 1, "has() asks for a field", "write has(a.b)");
            }
            expect(")", "a closing )");
            return new Node.Has(field, name.at());
        }
        Function function = function(name);
        if (function.form == Function.Form.METHOD) {
            throw badCall(name, function);
        }
        return call(name, function, new ArrayList<>(), false);
    }

    private Node method(Node target, Token name) throws ExprException {
        for (Node.Loop.Kind kind : Node.Loop.Kind.values()) {
            if (name.is(kind.word())) {
                return loop(kind, target, name.at());
            }
        }
        Function function = function(name);
        if (function.form == Function.Form.CALL) {
            throw badCall(name, function);
        }
        return call(name, function, new ArrayList<>(List.of(target)), true);
    }

    private Node call(Token name, Function function, List<Node> arguments, boolean method)
            throws ExprException {
        arguments.addAll(arguments(")"));
        if (arguments.size() != function.arguments) {
            throw badCall(name, function);
        }
        return new Node.Call(function, List.copyOf(arguments), method, name.at());
    }

    private static ExprException badCall(Token name, Function function) {
        String says = "a wrong call of " + function.word;
        return new ExprException(
                name.at(), function.word.length(), says, "write " + function.usage());
    }

    private static Function function(Token name) throws ExprException {
        String word = (String) name.value();
        Function function = Function.named(word);
        if (function == null) {
            throw new ExprException(
                    name.at(),
                    word.length(),
                    "there is no function " + word,
                    Nearest.functions(word));
        }
        return function;
    }

    private Node loop(Node.Loop.Kind kind, Node range, int at) throws ExprException {
        String form = "write list." + kind.word() + "(x, …)";
        if (token.kind() != Token.Kind.NAME) {
            throw new ExprException(
                    token.at(), 1, kind.word() + " starts with the name of an item", form);
        }
        String name = (String) token.value();
        advance();
        expect(",", "a comma: " + form);
        Node body = expression();
        Node only = null;
        if (kind == Node.Loop.Kind.MAP && take(",")) {
            only = body;
            body = expression();
        }
        expect(")", "a closing )");
        return new Node.Loop(kind, range, name, only, body, at);
    }

    private List<Node> arguments(String close) throws ExprException {
        List<Node> list = new ArrayList<>();
        while (!take(close)) {
            list.add(expression());
            if (!token.is(close)) {
                expect(",", "a comma or a closing " + close);
            }
        }
        return list;
    }

    private void enter() throws ExprException {
        if (++depth > DEEPEST) {
            throw new ExprException(
                    token.at(), 1, "the expression is nested too deeply", "split it");
        }
    }

    private Token name(String wanted) throws ExprException {
        if (token.kind() != Token.Kind.NAME || token.is("in")) {
            throw unexpected(wanted);
        }
        Token name = token;
        advance();
        return name;
    }

    private boolean take(String sign) throws ExprException {
        if (!token.is(sign)) {
            return false;
        }
        advance();
        return true;
    }

    private void expect(String sign, String wanted) throws ExprException {
        if (!take(sign)) {
            throw unexpected(wanted);
        }
    }

    private void advance() throws ExprException {
        token = lexer.next();
    }

    private ExprException unexpected(String wanted) {
        String found =
                token.kind() == Token.Kind.END
                        ? "the expression ends too early"
                        : "unexpected " + text.substring(token.at(), token.end());
        int at = token.kind() == Token.Kind.END ? Math.max(0, text.length() - 1) : token.at();
        return new ExprException(at, token.end() - token.at(), found, "expected " + wanted);
    }
}
