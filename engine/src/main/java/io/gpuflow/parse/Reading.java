package io.gpuflow.parse;

import io.gpuflow.facts.Observed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What all parsers make of one text. The one that is surest comes first; a report that someone
 * pasted together from several tools is read by others too, each finding its own part.
 *
 * @param kinds of the parsers that understood it, surest first; empty when none recognised it
 * @param reports theirs, in the same order
 */
public record Reading(List<String> kinds, List<Report> reports) {
    /**
     * A text is recognised from this much of its beginning and end, from the whole if that fails.
     */
    private static final int HEAD = 256 * 1024;

    /** From here on a parser has seen lines of its tool, not just the tool's name or a failure. */
    private static final int FOUND = 60;

    /** From here on a parser has seen what only its tool prints. */
    private static final int SURE = 85;

    private static final Reading NONE = new Reading(List.of(), List.of());

    /** Reads a text with whichever parsers recognise it. */
    public static Reading of(String text) {
        if (Escapes.areAll(text)) {
            return recognised(Escapes.undone(text));
        }
        Reading reading = recognised(text);
        boolean written = reading.reports.isEmpty() && Escapes.areIn(text);
        return written ? recognised(Escapes.undone(text)) : reading;
    }

    private static Reading recognised(String text) {
        Reading reading = text.length() > 2 * HEAD ? recognised(ends(text), text) : NONE;
        return reading.kinds.isEmpty() ? recognised(text, text) : reading;
    }

    /** Reads a text as one kind, whatever it looks like. */
    public static Reading as(Parser<?> parser, String text) {
        return new Reading(List.of(parser.kind()), List.of(parser.parse(text)));
    }

    /** The beginning and the end: results stand last in a log. */
    private static String ends(String text) {
        return text.substring(0, HEAD) + "\n" + text.substring(text.length() - HEAD);
    }

    private static Reading recognised(String head, String text) {
        Parser<?> best = null;
        int most = 0;
        List<Parser<?>> parts = new ArrayList<>();
        for (Parser<?> parser : Parsers.ofParts()) {
            int sure = parser.recognises(head);
            if (sure > most) {
                most = sure;
                best = parser;
            }
            if (sure >= FOUND) {
                parts.add(parser);
            }
        }
        // The many others are loaded only when none of these is sure: facts is typed by people who
        // wait.
        for (Parser<?> parser : most < SURE ? Parsers.ofWholes() : List.<Parser<?>>of()) {
            int sure = parser.recognises(head);
            if (sure > most) {
                most = sure;
                best = parser;
            }
        }
        boolean part = best != null && best.readsPart();
        return best == null ? NONE : read(best, part ? parts : List.of(), text);
    }

    private static Reading read(Parser<?> best, List<Parser<?>> parts, String text) {
        List<String> kinds = new ArrayList<>();
        List<Report> reports = new ArrayList<>();
        kinds.add(best.kind());
        reports.add(best.parse(text));
        for (Parser<?> part : parts) {
            Report report = part.kind().equals(best.kind()) ? null : part.parse(text);
            if (report != null && report.error() == null) {
                kinds.add(part.kind());
                reports.add(report);
            }
        }
        return new Reading(kinds, reports);
    }

    /** Why the text holds no answer, or null. */
    public String error() {
        return reports.isEmpty() ? "not recognised" : reports.get(0).error();
    }

    /**
     * The keys of {@code facts --json} but the file's name; where two parts tell one, the first's.
     */
    public Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("kind", kinds.isEmpty() ? null : kinds.get(0));
        if (kinds.size() > 1) {
            values.put("also", kinds.subList(1, kinds.size()));
        }
        for (Report report : reports) {
            report.values().forEach(values::putIfAbsent);
        }
        values.put("unparsed", unparsed());
        return values;
    }

    /** Lines that none of them understood. */
    private List<String> unparsed() {
        if (reports.isEmpty()) {
            return List.of();
        }
        Set<String> lines = new LinkedHashSet<>(reports.get(0).unparsed());
        for (Report report : reports.subList(1, reports.size())) {
            if (!report.unparsed().isEmpty()) {
                lines.retainAll(new LinkedHashSet<>(report.unparsed()));
            }
        }
        return reports.size() == 1 ? reports.get(0).unparsed() : new ArrayList<>(lines);
    }

    /** The facts of all of them. */
    public List<Observed> facts(String sourceName) {
        Set<Observed> facts = new LinkedHashSet<>();
        for (Report report : reports) {
            facts.addAll(report.facts(sourceName));
        }
        return new ArrayList<>(facts);
    }
}
