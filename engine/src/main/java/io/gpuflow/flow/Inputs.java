package io.gpuflow.flow;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The values of a workflow's inputs. */
public final class Inputs {
    private Inputs() {}

    /** As the journal keeps them: plain values, durations as text. */
    static Map<String, Object> shown(Map<String, Object> inputs) {
        Map<String, Object> shown = new LinkedHashMap<>();
        inputs.forEach(
                (name, value) ->
                        shown.put(name, value instanceof Duration d ? Words.duration(d) : value));
        return shown;
    }
}
