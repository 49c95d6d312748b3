package io.gpuflow.scan;

import java.util.LinkedHashMap;
import java.util.Map;

/** The failure being read in torchelastic's closing report: its lines come one key at a time. */
final class LauncherReport {
    private final Map<String, String> values = new LinkedHashMap<>();
    private boolean open;

    /** Takes what one line of the report captured; {@code time} begins a new failure. */
    void take(Map<String, String> line) {
        if (line.containsKey("time")) {
            values.clear();
        }
        values.putAll(line);
        open = line.containsKey("traceback");
    }

    /** True while a quoted traceback is read. */
    boolean open() {
        return open;
    }

    Integer rank() {
        return Prefix.number(values.get("rank"));
    }

    Map<String, String> values() {
        return Map.copyOf(values);
    }
}
