package io.gpuflow.expr;

/** An expression that can't be read. */
public final class ExprException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient ExprProblem problem;

    ExprException(int offset, int length, String says, String next) {
        this(new ExprProblem(offset, length, says, next));
    }

    ExprException(ExprProblem problem) {
        super(problem.says(), null, false, false);
        this.problem = problem;
    }

    public ExprProblem problem() {
        return problem;
    }
}
