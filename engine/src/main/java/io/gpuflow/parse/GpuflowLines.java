package io.gpuflow.parse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;

/**
 * The report lines of gpuflow's own Python scripts: {@code @gpuflow} and a JSON object, one event a
 * line. Launchers and loggers may have put something before them.
 */
public final class GpuflowLines {
    public static final String MARK = "@gpuflow {";

    private static final ObjectMapper JSON =
            JsonMapper.builder(
                            com.fasterxml.jackson.core.JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(20)
                                                    .maxStringLength(16_384)
                                                    .maxNumberLength(40)
                                                    .build())
                                    .build())
                    .build();

    /**
     * One event.
     *
     * @param line where it stands, from 1
     */
    record Event(JsonNode json, int line, String excerpt) {
        boolean is(String event) {
            return json.path("event").asText().equals(event);
        }

        /** The rank it speaks of, or null when it names none. */
        Integer rank() {
            return whole("rank");
        }

        Integer whole(String name) {
            JsonNode value = json.path(name);
            return value.isInt() ? (Integer) value.intValue() : null;
        }

        Long large(String name) {
            JsonNode value = json.path(name);
            return value.isIntegralNumber() && value.canConvertToLong()
                    ? (Long) value.longValue()
                    : null;
        }

        Double number(String name) {
            JsonNode value = json.path(name);
            return value.isNumber() && Double.isFinite(value.doubleValue())
                    ? (Double) value.doubleValue()
                    : null;
        }

        String text(String name) {
            JsonNode value = json.path(name);
            return value.isTextual() ? value.textValue() : null;
        }

        Boolean flag(String name) {
            JsonNode value = json.path(name);
            return value.isBoolean() ? (Boolean) value.booleanValue() : null;
        }
    }

    /**
     * @param unparsed report lines that hold no JSON object: cut off, or torn by another process
     */
    record Read(List<Event> events, List<String> unparsed) {}

    private GpuflowLines() {}

    /** What an event says to a person who watches; null when it is nothing to show. */
    public static String shown(String line) {
        Read read = of(List.of(line));
        if (read.events().isEmpty()) {
            return null;
        }
        Event event = read.events().get(0);
        if (event.is("stage")) {
            return "rank " + event.rank() + ": " + event.text("stage");
        }
        if (event.is("error")) {
            return "rank " + event.rank() + ": " + event.text("type") + ": " + event.text("text");
        }
        if (event.is("row")) {
            return event.text("op")
                    + " of "
                    + event.large("bytes")
                    + " bytes: "
                    + event.number("busbw")
                    + " GB/s";
        }
        return null;
    }

    static Read of(List<String> lines) {
        List<Event> events = new ArrayList<>();
        List<String> unparsed = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            int mark = line.indexOf(MARK);
            if (mark < 0) {
                continue;
            }
            try {
                JsonNode json = JSON.readTree(line.substring(mark + MARK.length() - 1));
                events.add(new Event(json, i + 1, Excerpt.of(line)));
            } catch (JsonProcessingException e) {
                unparsed.add(Excerpt.of(line));
            }
        }
        return new Read(events, unparsed);
    }
}
