package io.gpuflow.yaml;

import java.util.Map;

/**
 * What a value in a file must look like. The same shape reads the value and describes it for
 * editors.
 *
 * @param <T> what it is read into
 */
public interface Shape<T> {
    /** Reads a value; null when a problem was reported. */
    T read(YamlNode node, Problems problems);

    /** What is expected, for messages: "a duration such as 90s or 5m". */
    String words();

    /** The JSON Schema (draft 7) of it. */
    Map<String, Object> schema();
}
