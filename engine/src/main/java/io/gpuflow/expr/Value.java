package io.gpuflow.expr;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What an expression gave: a value, or the reason why it can't be told. Not known is not false.
 *
 * <p>Plain values are {@link Boolean}, {@link Long}, {@link Double}, {@link String}, {@link
 * Duration}, {@link List}, {@link Map} with text keys, and null. A {@link Unknown} may stand
 * anywhere inside of them.
 */
public sealed interface Value {

    /** A value that is known; it may be null. */
    record Known(Object value) implements Value {}

    /**
     * Not known.
     *
     * @param why the reason in words a user can act on: "nvidia-smi is not installed"
     */
    record Unknown(String why) implements Value {}

    /** Wraps a plain value; an {@link Unknown} stays what it is. */
    static Value of(Object plain) {
        return plain instanceof Value value ? value : new Known(Plain.of(plain));
    }

    /** True only when it is known to be true. */
    default boolean isTrue() {
        return this instanceof Known known && Boolean.TRUE.equals(known.value);
    }

    /** True only when it is known to be false. */
    default boolean isFalse() {
        return this instanceof Known known && Boolean.FALSE.equals(known.value);
    }

    default boolean isKnown() {
        return this instanceof Known;
    }

    /** The plain value, or the given one when it is not known. */
    default Object orElse(Object other) {
        return this instanceof Known known ? known.value : other;
    }
}
