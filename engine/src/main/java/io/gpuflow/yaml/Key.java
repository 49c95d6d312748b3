package io.gpuflow.yaml;

/**
 * A key of a map in a file.
 *
 * @param <T> what its value is read into
 * @param fallback the value when the key is not there
 * @param help one line for whoever writes the file
 */
public record Key<T>(String name, Shape<T> shape, boolean required, T fallback, String help) {
    public static <T> Key<T> required(String name, Shape<T> shape, String help) {
        return new Key<>(name, shape, true, null, help);
    }

    /** A key that may be left out; the fallback may be null. */
    public static <T> Key<T> optional(String name, Shape<T> shape, T fallback, String help) {
        return new Key<>(name, shape, false, fallback, help);
    }
}
