package io.gpuflow.expr;

/** Operators that always look at both sides, with their binding strength. */
enum Operator {
    LT("<", 3),
    LE("<=", 3),
    GT(">", 3),
    GE(">=", 3),
    EQ("==", 3),
    NE("!=", 3),
    IN("in", 3),
    ADD("+", 4),
    SUBTRACT("-", 4),
    MULTIPLY("*", 5),
    DIVIDE("/", 5),
    MODULO("%", 5);

    final String sign;
    final int strength;

    Operator(String sign, int strength) {
        this.sign = sign;
        this.strength = strength;
    }

    boolean compares() {
        return strength == 3;
    }

    boolean orders() {
        return ordinal() <= GE.ordinal();
    }

    static Operator of(String sign, int strength) {
        for (Operator operator : values()) {
            if (operator.strength == strength && operator.sign.equals(sign)) {
                return operator;
            }
        }
        return null;
    }
}
