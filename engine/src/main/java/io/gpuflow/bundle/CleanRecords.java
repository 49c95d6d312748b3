package io.gpuflow.bundle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The journal and the facts of a run, cleaned value by value: they stay the JSON that they were,
 * and a name in a field is found though nothing around it says what it is.
 */
final class CleanRecords {
    /** Fields that hold words of gpuflow alone. */
    private static final Set<String> OURS =
            Set.of(
                    "at",
                    "event",
                    "fact",
                    "state",
                    "outcome",
                    "failure",
                    "unit",
                    "level",
                    "role",
                    "who",
                    "kind",
                    "area",
                    "cause",
                    "under",
                    "rule",
                    "signature",
                    "link_class");

    private final JsonMapper mapper = JsonMapper.builder().build();
    private final Clean clean;

    /** New hashes of facts files, by their names in the run. */
    private final Map<String, String> hashes = new LinkedHashMap<>();

    CleanRecords(Clean clean) {
        this.clean = clean;
    }

    /** The facts file of this name has another hash now. */
    void hash(String file, String sha256) {
        hashes.put(file, sha256);
    }

    /** Takes note of the names in all lines. */
    void learn(InputStream in) throws IOException {
        each(
                in,
                node -> {
                    if (isHost(node)) {
                        clean.learn("host", node.get("is").get("name").asText());
                    }
                    walk(node, "", learning);
                });
    }

    /**
     * Writes all lines, cleaned.
     *
     * @return lines that can't be read and are not in it
     */
    int write(InputStream in, OutputStream out) throws IOException {
        IOException[] failed = {null};
        int unread =
                each(
                        in,
                        node -> {
                            own(node);
                            walk(node, "", cleaning);
                            try {
                                String line = mapper.writeValueAsString(node) + "\n";
                                out.write(line.getBytes(StandardCharsets.UTF_8));
                            } catch (IOException e) {
                                failed[0] = e;
                            }
                        });
        if (failed[0] != null) {
            throw failed[0];
        }
        return unread;
    }

    private int each(InputStream in, Consumer<ObjectNode> taker) throws IOException {
        int unread = 0;
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            try {
                if (line.isBlank()) {
                    continue;
                }
                if (mapper.readTree(line) instanceof ObjectNode object) {
                    taker.accept(object);
                } else {
                    unread++;
                }
            } catch (JsonProcessingException e) {
                unread++;
            }
        }
        return unread;
    }

    /**
     * The hashes in the journal: of facts files as they are in the bundle. Those by which a run is
     * resumed are of private values, few enough to be tried out, and nobody resumes a bundle.
     */
    private void own(ObjectNode line) {
        String file = line.path("facts").asText();
        if (line.has("facts_hash") && hashes.containsKey(file)) {
            line.put("facts_hash", hashes.get(file));
        }
        if (clean.redacts() && line.get("key") instanceof ObjectNode key) {
            key.removeAll();
            key.put("text", "");
        }
        if (isHost(line) && line.get("is") instanceof ObjectNode host) {
            host.put("name", clean.text("host", host.get("name").asText()));
        }
    }

    private static boolean isHost(ObjectNode line) {
        return line.path("fact").asText().equals("Host")
                && line.path("is").path("name").isTextual();
    }

    /** What becomes of each text in a record. */
    private interface Field {
        String key(String key);

        String of(String name, String value);
    }

    private final Field learning =
            new Field() {
                @Override
                public String key(String key) {
                    return key;
                }

                @Override
                public String of(String name, String value) {
                    if (!OURS.contains(name)) {
                        clean.learn(name, value);
                    }
                    return value;
                }
            };

    private final Field cleaning =
            new Field() {
                @Override
                public String key(String key) {
                    return clean.again(key);
                }

                @Override
                public String of(String name, String value) {
                    return OURS.contains(name) ? value : clean.text(name, value);
                }
            };

    private void walk(JsonNode node, String name, Field field) {
        if (node instanceof ObjectNode object) {
            fields(object, field);
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                if (array.get(i).isTextual()) {
                    array.set(i, TextNode.valueOf(field.of(name, array.get(i).textValue())));
                } else {
                    walk(array.get(i), name, field);
                }
            }
        }
    }

    private void fields(ObjectNode object, Field field) {
        Map<String, JsonNode> all = new LinkedHashMap<>();
        object.properties().forEach(e -> all.put(e.getKey(), e.getValue()));
        object.removeAll();
        String named = all.containsKey("name") ? all.get("name").asText() : "value";
        all.forEach(
                (key, value) -> {
                    // {"name":"SLURM_NODELIST","value":…}: the one says what the other is.
                    String name = key.equals("value") ? named : key;
                    if (value.isTextual()) {
                        object.put(field.key(key), field.of(name, value.textValue()));
                    } else {
                        walk(value, key, field);
                        object.set(field.key(key), value);
                    }
                });
    }
}
