package io.gpuflow.facts;

import java.util.Map;

/**
 * A line that a log signature recognised. An observation, never a cause by itself.
 *
 * @param time seconds since the epoch, or null when the line bears none
 * @param values what the signature captured
 */
public record LogEvent(
        String signature, Integer rank, String host, Double time, Map<String, String> values)
        implements Fact {}
