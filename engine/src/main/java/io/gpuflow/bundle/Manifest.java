package io.gpuflow.bundle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What is in a bundle and what is not: its first file, {@code bundle.json}. A person reads it, too.
 *
 * @param version of gpuflow that made it
 * @param kind {@link #RUN} or {@link #LOGS}
 * @param made when, as ISO 8601
 * @param redacted whether what is private was replaced
 * @param files all but this one, in their order
 * @param leftOut what was there and is not in it
 */
public record Manifest(
        String version,
        String kind,
        String made,
        boolean redacted,
        List<Part> files,
        List<Left> leftOut) {
    static final String NAME = "bundle.json";

    public static final String RUN = "run";
    public static final String LOGS = "logs";

    private static final int FORMAT = 1;
    private static final int MOST_FILES = 20_000;

    /**
     * A file in the bundle.
     *
     * @param name with the folder that all are in
     * @param changed what it lacks, such as the lines that were cut out, or null
     */
    public record Part(String name, long bytes, String sha256, String changed) {}

    /**
     * A file that is not in the bundle, and why.
     *
     * @param evidence it may well have told something: without it nobody can say that all is well
     */
    public record Left(String name, String why, boolean evidence) {}

    public Manifest {
        files = List.copyOf(files);
        leftOut = List.copyOf(leftOut);
    }

    byte[] json() {
        JsonMapper mapper = JsonMapper.builder().build();
        ObjectNode top = mapper.createObjectNode();
        top.put("gpuflow-bundle", FORMAT);
        top.put("version", version);
        top.put("kind", kind);
        top.put("made", made);
        top.put("redacted", redacted);
        StringBuilder text = new StringBuilder(top.toString());
        text.setLength(text.length() - 1);
        text.append(",\n\"files\":[");
        String before = "\n";
        for (Part part : files) {
            ObjectNode node = mapper.createObjectNode();
            node.put("name", part.name()).put("bytes", part.bytes()).put("sha256", part.sha256());
            if (part.changed() != null) {
                node.put("changed", part.changed());
            }
            text.append(before).append(node);
            before = ",\n";
        }
        text.append("],\n\"left_out\":[");
        before = "\n";
        for (Left left : leftOut) {
            ObjectNode node = mapper.createObjectNode();
            node.put("name", left.name()).put("why", left.why());
            text.append(before).append(node.put("evidence", left.evidence()));
            before = ",\n";
        }
        return text.append("]}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads it back; it may come from anybody.
     *
     * @throws IOException saying what is wrong with it
     */
    static Manifest read(byte[] json) throws IOException {
        JsonMapper mapper = JsonMapper.builder().build();
        mapper.getFactory()
                .setStreamReadConstraints(
                        StreamReadConstraints.builder().maxNestingDepth(16).build());
        JsonNode top;
        try {
            top = mapper.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IOException("its JSON is damaged: " + e.getOriginalMessage(), e);
        }
        int format = top.path("gpuflow-bundle").asInt();
        if (format != FORMAT) {
            throw new IOException(
                    "it is of format " + format + ", made by another version of gpuflow");
        }
        List<Part> files = new ArrayList<>();
        for (JsonNode node : some(top.path("files"))) {
            String changed = node.hasNonNull("changed") ? node.get("changed").asText() : null;
            files.add(
                    new Part(
                            node.path("name").asText(),
                            node.path("bytes").asLong(-1),
                            node.path("sha256").asText(),
                            changed));
        }
        List<Left> left = new ArrayList<>();
        for (JsonNode node : some(top.path("left_out"))) {
            left.add(
                    new Left(
                            node.path("name").asText(),
                            node.path("why").asText(),
                            node.path("evidence").asBoolean(true)));
        }
        return new Manifest(
                top.path("version").asText(),
                top.path("kind").asText(),
                top.path("made").asText(),
                top.path("redacted").asBoolean(),
                files,
                left);
    }

    private static JsonNode some(JsonNode list) throws IOException {
        if (list.size() > MOST_FILES) {
            throw new IOException("it lists more than " + MOST_FILES + " files");
        }
        return list;
    }
}
