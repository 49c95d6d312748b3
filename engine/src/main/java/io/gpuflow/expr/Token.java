package io.gpuflow.expr;

/**
 * A word of an expression.
 *
 * @param value the literal's value, or the identifier or sign as text
 */
record Token(Kind kind, Object value, int at, int end) {
    enum Kind {
        NAME,
        LITERAL,
        SIGN,
        END
    }

    boolean is(String sign) {
        return (kind == Kind.SIGN || kind == Kind.NAME) && value.equals(sign);
    }
}
