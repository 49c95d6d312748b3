package io.gpuflow.report;

import io.gpuflow.facts.LogEvent;
import io.gpuflow.facts.Observed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Who said what when, as plain values: ranks by time. */
public final class Timeline {
    private Timeline() {}

    /**
     * A list of rows, one a rank, host or unknown speaker, each with its events in the order of
     * time as the logs bear it.
     */
    public static Map<String, Object> of(List<Observed> facts) {
        Map<String, List<Map<String, Object>>> rows = new TreeMap<>();
        boolean timed = false;
        for (Observed o : facts) {
            if (o.fact() instanceof LogEvent e) {
                timed |= e.time() != null;
                rows.computeIfAbsent(TimelineText.row(e), k -> new ArrayList<>()).add(event(e, o));
            }
        }
        List<Map<String, Object>> list = new ArrayList<>();
        rows.values().forEach(events -> list.add(row(events)));
        Map<String, Object> timeline = new LinkedHashMap<>();
        timeline.put("timed", timed);
        timeline.put("rows", list);
        return timeline;
    }

    private static Map<String, Object> row(List<Map<String, Object>> events) {
        Map<String, Object> row = new LinkedHashMap<>();
        Map<String, Object> first = events.get(0);
        row.put("rank", first.get("rank"));
        row.put("host", first.get("rank") == null ? first.get("host") : null);
        events.forEach(e -> e.remove("rank"));
        row.put("events", events);
        return row;
    }

    private static Map<String, Object> event(LogEvent e, Observed o) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("rank", e.rank());
        values.put("time", e.time());
        values.put("host", e.host());
        values.put("what", e.signature());
        values.put("file", o.source().text());
        values.put("line", o.source().line() > 0 ? o.source().line() : null);
        values.put("text", o.source().excerpt());
        return values;
    }
}
