package io.gpuflow.expr;

/** Reads one quoted text of an expression: {@code "…"}, {@code '…'}, tripled quotes, raw texts. */
final class TextLiteral {
    private final String text;
    private final StringBuilder value = new StringBuilder();
    private int at;

    /**
     * @param start where the literal begins, its r included
     * @param open where its first quote is
     * @param raw true when a backslash is only a backslash
     */
    TextLiteral(String text, int start, int open, boolean raw) throws ExprException {
        this.text = text;
        String quote = text.substring(open, open + 1);
        boolean triple = text.startsWith(quote.repeat(3), open);
        String close = triple ? quote.repeat(3) : quote;
        at = open + close.length();
        while (!text.startsWith(close, at)) {
            if (at >= text.length() || !triple && "\r\n".indexOf(text.charAt(at)) >= 0) {
                String next = "close it with " + close;
                throw new ExprException(start, 1, "the text is not closed", next);
            }
            character(quote, raw);
        }
        at += close.length();
    }

    /** The text it stands for. */
    String value() {
        return value.toString();
    }

    /** Just behind it. */
    int end() {
        return at;
    }

    private void character(String quote, boolean raw) throws ExprException {
        char c = text.charAt(at++);
        if (c != '\\') {
            value.append(c);
        } else if (!raw) {
            escape();
        } else {
            // A raw text keeps the backslash; it still protects a quote.
            value.append(c);
            if (text.startsWith(quote, at)) {
                value.append(text.charAt(at++));
            }
        }
    }

    private void escape() throws ExprException {
        int start = at - 1;
        char c = at < text.length() ? text.charAt(at) : 0;
        at++;
        int plain = "abfnrtv\\?\"'`".indexOf(c);
        if (plain >= 0) {
            value.append("\u0007\b\f\n\r\t\u000b\\?\"'`".charAt(plain));
            return;
        }
        int code =
                switch (c) {
                    case 'x', 'X' -> code(2, 16);
                    case 'u' -> code(4, 16);
                    case 'U' -> code(8, 16);
                    case '0', '1', '2', '3' -> {
                        at--;
                        yield code(3, 8);
                    }
                    default -> -1;
                };
        if (!Character.isValidCodePoint(code) || code >= 0xd800 && code < 0xe000) {
            String next = "write \\\\ for a backslash, or r\"…\" for a pattern";
            throw new ExprException(start, 2, "an escape that does not exist", next);
        }
        value.appendCodePoint(code);
    }

    private int code(int digits, int base) {
        if (at + digits > text.length()) {
            return -1;
        }
        long code = 0;
        for (int i = 0; i < digits; i++) {
            int digit = text.charAt(at) < 128 ? Character.digit(text.charAt(at), base) : -1;
            if (digit < 0) {
                return -1;
            }
            code = code * base + digit;
            at++;
        }
        return code > Character.MAX_CODE_POINT ? -1 : (int) code;
    }
}
