package io.gpuflow.baseline;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gpuflow.facts.BaselineBench;
import io.gpuflow.facts.BaselineFigure;
import io.gpuflow.facts.BaselineSoftware;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * A baseline on disk: JSON with an entry a line, so that a person can read it and a difference is
 * seen.
 *
 * @param lines the line of each entry of the baseline, by identity
 */
public record BaselineFile(Path file, Baseline baseline, Map<Object, Integer> lines) {
    /** Far above what the largest machine has. Bytes. */
    private static final long MAX_SIZE = 4L << 20;

    private static final ObjectMapper MAPPER =
            JsonMapper.builder()
                    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                    .defaultPropertyInclusion(
                            JsonInclude.Value.construct(
                                    JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .build();

    /** Why a file is no baseline, with the place. */
    public static final class Invalid extends IOException {
        private static final long serialVersionUID = 1L;

        Invalid(String why) {
            super(why);
        }
    }

    /** Writes the file whole or not at all. */
    public static void write(Path file, Baseline baseline) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        Path fresh = Files.createTempFile(folder, "baseline", ".new");
        try {
            Files.writeString(fresh, text(baseline));
            try {
                Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
            } catch (AtomicMoveNotSupportedException e) {
                Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
            }
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    static String text(Baseline b) throws JsonProcessingException {
        StringBuilder out = new StringBuilder("{\n  \"gpuflow_baseline\": 1,\n");
        out.append("  \"saved\": ").append(json(b.saved())).append(",\n");
        out.append("  \"from\": ").append(json(b.from())).append(",\n");
        out.append("  \"host\": ").append(json(b.host())).append(",\n");
        list(out, "gpus", b.gpus());
        out.append(",\n");
        list(out, "software", b.software());
        out.append(",\n");
        list(out, "benches", b.benches());
        out.append(",\n");
        list(out, "figures", b.figures());
        return out.append("\n}\n").toString();
    }

    private static void list(StringBuilder out, String name, List<?> entries)
            throws JsonProcessingException {
        out.append("  \"").append(name).append("\": [");
        String separator = "\n    ";
        for (Object entry : entries) {
            out.append(separator).append(json(entry));
            separator = ",\n    ";
        }
        out.append(entries.isEmpty() ? "]" : "\n  ]");
    }

    private static String json(Object value) throws JsonProcessingException {
        return MAPPER.writeValueAsString(value);
    }

    /**
     * Reads a file that {@link #write} wrote, or one that was edited by hand since.
     *
     * @throws Invalid when it is none, with line and column
     */
    public static BaselineFile read(Path file) throws IOException {
        if (Files.size(file) > MAX_SIZE) {
            throw new Invalid(file + ": larger than 4 MiB, so no baseline of gpuflow");
        }
        try (JsonParser in = MAPPER.createParser(Files.readAllBytes(file))) {
            return new Reading(in).file(file);
        } catch (JsonProcessingException e) {
            String at =
                    e.getLocation() == null
                            ? ""
                            : ":"
                                    + e.getLocation().getLineNr()
                                    + ":"
                                    + e.getLocation().getColumnNr();
            throw new Invalid(file + at + ": " + e.getOriginalMessage());
        }
    }

    /** One pass over the file. */
    private static final class Reading {
        private final JsonParser in;
        private final Map<Object, Integer> lines = new IdentityHashMap<>();
        private int version;
        private String saved = "";
        private String from = "";
        private String host;
        private List<Baseline.Gpu> gpus = List.of();
        private List<BaselineSoftware> software = List.of();
        private List<BaselineBench> benches = List.of();
        private List<BaselineFigure> figures = List.of();

        Reading(JsonParser in) {
            this.in = in;
        }

        BaselineFile file(Path file) throws IOException {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new Invalid(file + ":1:1: no baseline of gpuflow; baseline save writes one");
            }
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String key = in.currentName();
                in.nextToken();
                switch (key) {
                    case "gpuflow_baseline" -> version = in.getIntValue();
                    case "saved" -> saved = in.getText();
                    case "from" -> from = in.getText();
                    case "host" -> host = in.getValueAsString();
                    case "gpus" -> gpus = list(file, key, Baseline.Gpu.class);
                    case "software" -> software = list(file, key, BaselineSoftware.class);
                    case "benches" -> benches = list(file, key, BaselineBench.class);
                    case "figures" -> figures = list(file, key, BaselineFigure.class);
                    default -> in.skipChildren();
                }
            }
            if (version != 1) {
                throw new Invalid(
                        file + ":1:1: gpuflow_baseline: 1 is missing: no baseline of this gpuflow");
            }
            return new BaselineFile(
                    file, new Baseline(saved, from, host, gpus, software, benches, figures), lines);
        }

        private <T> List<T> list(Path file, String key, Class<T> type) throws IOException {
            if (in.currentToken() != JsonToken.START_ARRAY) {
                int line = in.currentTokenLocation().getLineNr();
                throw new Invalid(file + ":" + line + ": " + key + " must be a list");
            }
            List<T> entries = new ArrayList<>();
            while (in.nextToken() != JsonToken.END_ARRAY) {
                int line = in.currentTokenLocation().getLineNr();
                T entry = MAPPER.readValue(in, type);
                if (entry == null) {
                    throw new Invalid(file + ":" + line + ": an entry of " + key + " is null");
                }
                lines.put(entry, line);
                entries.add(entry);
            }
            return List.copyOf(entries);
        }
    }
}
