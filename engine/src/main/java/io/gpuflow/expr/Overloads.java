package io.gpuflow.expr;

import java.util.Set;

/** Which operand types go together. ANY goes with everything: it is told at run time. */
final class Overloads {
    private static final Set<Type> ORDERED =
            Set.of(Type.INT, Type.DOUBLE, Type.TEXT, Type.DURATION, Type.BOOL);

    private Overloads() {}

    static boolean number(Type type) {
        return type == Type.INT || type == Type.DOUBLE;
    }

    static boolean ordered(Type left, Type right) {
        if (left == Type.ANY || right == Type.ANY) {
            Type other = left == Type.ANY ? right : left;
            return other == Type.ANY || ORDERED.contains(other);
        }
        return number(left) && number(right) || ORDERED.contains(left) && left == right;
    }

    static boolean equal(Type left, Type right) {
        if (left == Type.ANY || right == Type.ANY || left == Type.NULL || right == Type.NULL) {
            return true;
        }
        if (left instanceof Type.ListOf a && right instanceof Type.ListOf b) {
            return equal(a.item(), b.item());
        }
        boolean maps = isMap(left) && isMap(right);
        return maps || number(left) && number(right) || left == right;
    }

    private static boolean isMap(Type type) {
        return type instanceof Type.MapOf || type instanceof Type.Fields;
    }

    /** What an arithmetic operator gives, or null when it does not go. */
    static Type result(Operator operator, Type left, Type right) {
        Type known = left == Type.ANY ? right : left;
        if (known == Type.ANY) {
            return Type.ANY;
        }
        if (known instanceof Type.ListOf) {
            boolean lists = fits(left) && fits(right);
            return operator != Operator.ADD || !lists
                    ? null
                    : left.equals(right) ? left : Type.listOf(Type.ANY);
        }
        boolean same = left == right || left == Type.ANY || right == Type.ANY;
        return same && operators(known).contains(operator) ? known : null;
    }

    private static boolean fits(Type type) {
        return type instanceof Type.ListOf || type == Type.ANY;
    }

    private static Set<Operator> operators(Type type) {
        if (type == Type.INT) {
            return Set.of(
                    Operator.ADD,
                    Operator.SUBTRACT,
                    Operator.MULTIPLY,
                    Operator.DIVIDE,
                    Operator.MODULO);
        }
        if (type == Type.DOUBLE) {
            return Set.of(Operator.ADD, Operator.SUBTRACT, Operator.MULTIPLY, Operator.DIVIDE);
        }
        if (type == Type.DURATION) {
            return Set.of(Operator.ADD, Operator.SUBTRACT);
        }
        return type == Type.TEXT ? Set.of(Operator.ADD) : Set.of();
    }

    static boolean accepts(Function function, Type type) {
        if (type == Type.ANY) {
            return true;
        }
        return switch (function) {
            case SIZE -> type == Type.TEXT || type instanceof Type.ListOf || isMap(type);
            case STARTS_WITH, ENDS_WITH, CONTAINS, MATCHES -> type == Type.TEXT;
            case INT, DOUBLE -> number(type) || type == Type.TEXT;
            case STRING -> type instanceof Type.Basic && type != Type.NULL;
            case DURATION -> type == Type.TEXT || type == Type.DURATION;
        };
    }

    static Type result(Function function) {
        return switch (function) {
            case SIZE, INT -> Type.INT;
            case DOUBLE -> Type.DOUBLE;
            case STRING -> Type.TEXT;
            case DURATION -> Type.DURATION;
            default -> Type.BOOL;
        };
    }
}
