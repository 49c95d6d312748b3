package io.gpuflow.parse;

import io.gpuflow.facts.KernelEvent;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the kernel log as {@code dmesg} (any time format), {@code journalctl -k} or {@code
 * kern.log} give it, and keeps what concerns GPUs, their links, memory and adapters.
 */
public final class KernelLog implements Parser<KernelLog.Reading> {
    /** Facts of one kind, code and device beyond this are counted, not kept. */
    private static final int KEPT_ALIKE = 20;

    private static final int MAX_EVENTS = 20_000;
    private static final int MAX_TEXT = 400;

    // kern  :err   : [Thu Oct 10 03:06:53 2024] text      (dmesg -x)
    private static final Pattern LEVEL = Pattern.compile("^[a-z]{3,8} *:[a-z]{3,6} *: ");
    // [  123.456789] text     [Thu Oct 10 03:06:53 2024] text
    private static final Pattern BRACKETED =
            Pattern.compile("^\\[ *(\\d+\\.\\d+|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d:]+)\\] ?(.*)$");
    // 2025-01-01T10:17:15,145363-04:00 text      2025-01-01T10:17:15+0000 host kernel: text
    private static final Pattern ISO =
            Pattern.compile(
                    "^(\\d{4}-\\d\\d-\\d\\dT[\\d:.,]+(?:Z|[+-][\\d:]+)?) (?:\\S+ kernel: )?(.*)$");
    // Nov 29 15:32:51 host kernel: [ 12.5] text
    private static final Pattern SYSLOG =
            Pattern.compile("^([A-Z][a-z]{2} [ \\d]\\d [\\d:]{8}) \\S+ kernel: (.*)$");

    /**
     * A line that matters.
     *
     * @param kind see {@link KernelEvent}
     * @param line line in the text, from 1
     */
    public record Event(
            String kind, Integer code, String device, String text, String time, int line) {}

    /**
     * The events in the log's order.
     *
     * @param counts how often each kind occurred, "xid 79" and "aer" alike
     * @param lines lines with text that were read
     * @param sandbox gVisor when a sandbox made the log up, else null
     */
    public record Reading(
            List<Event> events,
            Map<String, Integer> counts,
            int lines,
            String sandbox,
            String error,
            List<String> unparsed)
            implements Report {
        @Override
        public List<Observed> facts(String sourceName) {
            Map<List<Object>, Integer> alike = new LinkedHashMap<>();
            List<Observed> facts = new ArrayList<>();
            for (Event e : events) {
                List<Object> key = java.util.Arrays.asList(e.kind, e.code, e.device);
                if (alike.merge(key, 1, Integer::sum) <= KEPT_ALIKE) {
                    KernelEvent fact = new KernelEvent(e.kind, e.code, e.device, e.text, e.time);
                    facts.add(new Observed(fact, new Source(sourceName, e.line, e.text)));
                }
            }
            return facts;
        }
    }

    @Override
    public String kind() {
        return "kernel-log";
    }

    @Override
    public int recognises(String head) {
        int kernel = 0;
        int lines = 0;
        for (String line : head.lines().limit(40).toList()) {
            if (line.isBlank()) {
                continue;
            }
            lines++;
            kernel += stamped(line) ? 1 : 0;
        }
        boolean telling = head.contains("NVRM: ") || head.contains("Linux version ");
        if (lines == 1 && refuses(head.strip())) {
            return 80;
        }
        return lines == 0 || kernel * 10 < lines * 8 ? 0 : telling ? 85 : 50;
    }

    @Override
    public Reading parse(String text) {
        KernelEvents events = new KernelEvents(MAX_EVENTS);
        int number = 0;
        int lines = 0;
        String refused = null;
        for (String line : Lines.of(text)) {
            number++;
            lines += line.isBlank() ? 0 : 1;
            if (refused == null && refuses(line)) {
                refused = line.trim();
            }
            String bare = LEVEL.matcher(line).replaceFirst("");
            String time = null;
            String message = bare;
            for (Pattern stamp : new Pattern[] {BRACKETED, ISO, SYSLOG}) {
                Matcher m = stamp.matcher(message);
                if (m.matches()) {
                    time = time == null ? m.group(1).trim() : time;
                    message = m.group(2);
                }
            }
            Matcher inner = BRACKETED.matcher(message);
            events.line(inner.matches() ? inner.group(2) : message, time, number);
        }
        List<Event> found = events.end();
        Map<String, Integer> counts = new TreeMap<>();
        for (Event e : found) {
            counts.merge(e.code == null ? e.kind : e.kind + " " + e.code, 1, Integer::sum);
        }
        String error = refused != null ? refused : text.isBlank() ? "empty" : null;
        String sandbox = text.contains("Starting gVisor") ? "gVisor" : null;
        return new Reading(found, counts, lines, sandbox, error, List.of());
    }

    private static boolean stamped(String line) {
        String bare = LEVEL.matcher(line).replaceFirst("");
        boolean level = bare.length() < line.length();
        return BRACKETED.matcher(bare).matches()
                || level && ISO.matcher(bare).matches()
                || line.contains(" kernel: ");
    }

    /** The line cut to what a person reads at a glance. */
    static String shortened(String message) {
        String text = message.strip();
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
    }

    private static boolean refuses(String line) {
        return line.startsWith("dmesg: ")
                || line.startsWith("Hint: You are currently not seeing messages")
                || line.startsWith("No journal files were opened due to insufficient permissions");
    }
}
