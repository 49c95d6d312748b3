package io.gpuflow.expr;

import java.math.BigInteger;
import java.util.Set;

/** Splits an expression into its words. */
final class Lexer {
    private static final Set<String> TWO_SIGNS = Set.of("<=", ">=", "==", "!=", "&&", "||");
    private static final BigInteger LARGEST = BigInteger.ONE.shiftLeft(63);
    private static final String ONE_SIGN = "<>!+-*/%?:.,()[]";

    /** Words that CEL keeps for host languages; none of them may be a name. */
    private static final Set<String> RESERVED =
            Set.of(
                    "as",
                    "break",
                    "const",
                    "continue",
                    "else",
                    "for",
                    "function",
                    "if",
                    "import",
                    "let",
                    "loop",
                    "package",
                    "namespace",
                    "return",
                    "var",
                    "void",
                    "while");

    private final String text;
    private int at;

    Lexer(String text) {
        this.text = text;
    }

    Token next() throws ExprException {
        skipSpace();
        if (at >= text.length()) {
            return new Token(Token.Kind.END, "the end", text.length(), text.length());
        }
        char c = text.charAt(at);
        if (isDigit(c) || c == '.' && isDigit(peek(1))) {
            return number();
        }
        if (c == '"' || c == '\'') {
            return string(at, false);
        }
        if ((c == 'r' || c == 'R') && (peek(1) == '"' || peek(1) == '\'')) {
            return string(at + 1, true);
        }
        if (isLetter(c)) {
            return name();
        }
        return sign();
    }

    private void skipSpace() {
        while (at < text.length()) {
            if (" \t\r\n\f".indexOf(text.charAt(at)) >= 0) {
                at++;
            } else if (text.startsWith("//", at)) {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else {
                return;
            }
        }
    }

    private Token name() throws ExprException {
        int start = at;
        while (at < text.length() && (isLetter(text.charAt(at)) || isDigit(text.charAt(at)))) {
            at++;
        }
        String word = text.substring(start, at);
        char following = peek(0);
        if ((following == '"' || following == '\'') && word.length() <= 2) {
            throw new ExprException(start, word.length(), "bytes are not supported", "write text");
        }
        if (RESERVED.contains(word)) {
            String next = "choose another name, or write [\"" + word + "\"] for a key";
            throw new ExprException(start, word.length(), word + " is a reserved word", next);
        }
        return switch (word) {
            case "true" -> literal(Boolean.TRUE, start);
            case "false" -> literal(Boolean.FALSE, start);
            case "null" -> literal(null, start);
            default -> new Token(Token.Kind.NAME, word, start, at);
        };
    }

    private Token literal(Object value, int start) {
        return new Token(Token.Kind.LITERAL, value, start, at);
    }

    private Token number() throws ExprException {
        int start = at;
        if (text.charAt(at) == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
            at += 2;
            while (Character.digit(peek(0), 16) >= 0 && peek(0) < 128) {
                at++;
            }
            if (at - start == 2) {
                throw new ExprException(start, 2, "0x without digits", "");
            }
            return whole(start, text.substring(start + 2, at), 16);
        }
        skipDigits();
        boolean fraction = peek(0) == '.' && isDigit(peek(1));
        if (fraction) {
            at++;
            skipDigits();
        }
        if (peek(0) == 'e' || peek(0) == 'E') {
            int sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
            if (isDigit(peek(1 + sign))) {
                fraction = true;
                at += 1 + sign;
                skipDigits();
            }
        }
        if (!fraction) {
            return whole(start, text.substring(start, at), 10);
        }
        endOfNumber(start);
        Double value = Double.valueOf(text.substring(start, at));
        if (value.isInfinite()) {
            throw new ExprException(start, at - start, "the number is too large", "");
        }
        return literal(value, start);
    }

    private Token whole(int start, String digits, int base) throws ExprException {
        endOfNumber(start);
        // 9223372036854775808 is an int only behind a minus; the parser settles that.
        BigInteger value = digits.length() > 20 ? null : new BigInteger(digits, base);
        if (value == null || value.compareTo(LARGEST) > 0) {
            String next = "write a number with a decimal point, such as 1e20";
            throw new ExprException(start, at - start, "the int is too large", next);
        }
        return literal(value.bitLength() == 64 ? (Object) value : value.longValue(), start);
    }

    private void endOfNumber(int start) throws ExprException {
        char c = peek(0);
        if (c == 'u' || c == 'U') {
            throw new ExprException(start, at + 1 - start, "unsigned ints are not supported", "");
        }
        if (isLetter(c)) {
            String next = "a duration is written duration(\"90s\"), a size in plain bytes";
            throw new ExprException(
                    start, at + 1 - start, "a number directly followed by a letter", next);
        }
    }

    private void skipDigits() {
        while (isDigit(peek(0))) {
            at++;
        }
    }

    private Token string(int open, boolean raw) throws ExprException {
        int start = at;
        TextLiteral literal = new TextLiteral(text, start, open, raw);
        at = literal.end();
        return literal(literal.value(), start);
    }

    private Token sign() throws ExprException {
        int start = at;
        if (at + 2 <= text.length() && TWO_SIGNS.contains(text.substring(at, at + 2))) {
            at += 2;
        } else if (ONE_SIGN.indexOf(text.charAt(at)) >= 0) {
            at++;
        } else {
            throw unexpected(start);
        }
        return new Token(Token.Kind.SIGN, text.substring(start, at), start, at);
    }

    private ExprException unexpected(int start) {
        int code = text.codePointAt(start);
        String shown =
                Character.isISOControl(code) ? "a control character" : Character.toString(code);
        String next =
                switch (code) {
                    case '&' -> "and is written &&";
                    case '|' -> "or is written ||";
                    case '=' -> "equality is written ==";
                    case '$' -> "${{ }} belongs into text, not into an expression: leave it out";
                    case '{', '}' -> "maps can't be written in an expression";
                    case '“', '”', '‘', '’' -> "use a plain quote: \" or '";
                    default -> "";
                };
        return new ExprException(start, Character.charCount(code), "unexpected " + shown, next);
    }

    private char peek(int ahead) {
        return at + ahead < text.length() ? text.charAt(at + ahead) : '\0';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
    }
}
