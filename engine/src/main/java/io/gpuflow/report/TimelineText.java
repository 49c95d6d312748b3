package io.gpuflow.report;

import io.gpuflow.facts.LogEvent;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Who said what when: one row a rank, time from left to right, and the first words of each rank
 * below. Times are as the logs bear them; clocks of hosts may differ.
 */
public final class TimelineText {
    private static final int COLUMNS = 60;
    private static final int ROWS = 64;
    private static final int EXCERPT = 110;
    private static final int LONGEST_WAIT = 600;

    private record Entry(LogEvent event, Source source) {}

    private final List<Entry> entries = new ArrayList<>();

    public TimelineText(List<Observed> facts) {
        for (Observed o : facts) {
            if (o.fact() instanceof LogEvent e) {
                entries.add(new Entry(e, o.source()));
            }
        }
    }

    public List<String> lines() {
        List<Entry> timed = entries.stream().filter(e -> e.event.time() != null).toList();
        List<String> lines = new ArrayList<>();
        if (entries.isEmpty()) {
            return List.of("timeline: nothing was recognised");
        }
        if (timed.isEmpty()) {
            lines.add("timeline: the lines bear no times; in the order of the logs:");
        } else {
            grid(timed, lines);
        }
        first(lines);
        return lines;
    }

    private static void grid(List<Entry> timed, List<String> lines) {
        double start = timed.stream().mapToDouble(e -> e.event.time()).min().orElse(0);
        double end = timed.stream().mapToDouble(e -> e.event.time()).max().orElse(0);
        double step = Math.max(end - start, 1e-3) / COLUMNS;
        Map<String, char[]> rows = new TreeMap<>(Comparator.comparing(TimelineText::order));
        for (Entry e : timed) {
            char[] row = rows.computeIfAbsent(who(e.event), k -> " ".repeat(COLUMNS).toCharArray());
            int at = (int) Math.min(COLUMNS - 1, (e.event.time() - start) / step);
            row[at] = row[at] == ' ' ? '*' : '#';
        }
        lines.add(
                String.format(
                        Locale.ROOT,
                        "timeline of %s from %s (* one line, # several; %d ranks or hosts)",
                        seconds(end - start),
                        java.time.Instant.ofEpochMilli((long) (start * 1000)),
                        rows.size()));
        int shown = 0;
        for (Map.Entry<String, char[]> row : rows.entrySet()) {
            if (shown++ == ROWS) {
                lines.add("  and " + (rows.size() - ROWS) + " more");
                break;
            }
            lines.add(
                    String.format(
                            "  %-14s|%s|", cut(row.getKey(), 14), new String(row.getValue())));
        }
    }

    private void first(List<String> lines) {
        Map<String, Entry> first = new LinkedHashMap<>();
        for (Entry e : entries) {
            first.putIfAbsent(who(e.event) + " " + e.event.signature(), e);
        }
        Double start =
                entries.stream()
                        .map(e -> e.event.time())
                        .filter(t -> t != null)
                        .min(Comparator.naturalOrder())
                        .orElse(null);
        List<Entry> told = new ArrayList<>(first.values());
        told.sort(
                Comparator.comparing(
                        e -> e.event.time() == null ? Double.MAX_VALUE : e.event.time()));
        int shown = 0;
        for (Entry e : told) {
            if (shown++ == ROWS) {
                lines.add("  and " + (first.size() - ROWS) + " more");
                return;
            }
            Double time = e.event.time();
            String at = time == null || start == null ? "" : "+" + seconds(time - start);
            lines.add(
                    String.format(
                            "  %9s  %-14s %s  %s",
                            at,
                            cut(who(e.event), 14),
                            SafeText.line(e.source.toString()),
                            cut(SafeText.line(e.source.excerpt()), EXCERPT)));
        }
    }

    private static String who(LogEvent e) {
        if (e.rank() != null) {
            return "rank " + e.rank();
        }
        return e.host() != null ? e.host() : "(no rank)";
    }

    /** The row of an event: ranks by number, then hosts by name. */
    static String row(LogEvent e) {
        return order(who(e));
    }

    private static String order(String who) {
        return who.startsWith("rank ") ? String.format("0%9s", who.substring(5)) : "1" + who;
    }

    private static String seconds(double s) {
        return Math.abs(s) < LONGEST_WAIT
                ? String.format(Locale.ROOT, "%.1f s", s)
                : String.format(Locale.ROOT, "%.0f min", s / 60);
    }

    private static String cut(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length - 1) + "…";
    }
}
