package io.gpuflow.expr;

/**
 * A mistake in an expression.
 *
 * @param offset where it is, in UTF-16 units from the start of the expression (of the whole text
 *     for a {@link Template})
 * @param length how much of the text it concerns, at least 1
 * @param says what is wrong
 * @param next what to do, or empty
 */
public record ExprProblem(int offset, int length, String says, String next) {
    public ExprProblem {
        length = Math.max(1, length);
    }

    ExprProblem shifted(int by) {
        return new ExprProblem(offset + by, length, says, next);
    }
}
