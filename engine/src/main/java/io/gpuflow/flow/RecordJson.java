package io.gpuflow.flow;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.FactTypes;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import java.util.Map;

/**
 * Our records as JSON and back: keys in snake_case, enum values in the words that people read, null
 * components left out. A fact is {@code {"fact":"Topology","is":{…},"from":{…}}}.
 */
final class RecordJson {
    private static final ObjectMapper MAPPER =
            JsonMapper.builder()
                    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                    .defaultPropertyInclusion(
                            JsonInclude.Value.construct(
                                    JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
                    .addModule(EnumWords.module())
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .build();

    private RecordJson() {}

    static ObjectNode tree(Object record) {
        return MAPPER.valueToTree(record);
    }

    static JsonNode anyTree(Object value) {
        return MAPPER.valueToTree(value);
    }

    static <T> T record(JsonNode tree, Class<T> type) throws JsonProcessingException {
        return MAPPER.treeToValue(tree, type);
    }

    /** Parses one line. */
    static JsonNode parse(String line) throws JsonProcessingException {
        return MAPPER.readTree(line);
    }

    static String line(Object tree) {
        try {
            return MAPPER.writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "not writable as JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** Trees and records become plain maps, lists and values. */
    static Object plain(Object value) {
        return MAPPER.convertValue(value, Object.class);
    }

    /** A record as a map, by component. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object record) {
        return MAPPER.convertValue(record, Map.class);
    }

    static ObjectNode factTree(Observed observed) {
        ObjectNode node = MAPPER.createObjectNode();
        node.put("fact", observed.fact().getClass().getSimpleName());
        node.set("is", tree(observed.fact()));
        Source from = observed.source();
        ObjectNode source = node.putObject("from").put("text", from.text());
        if (from.line() > 0) {
            source.put("line", from.line());
        }
        if (!from.excerpt().isEmpty()) {
            source.put("excerpt", from.excerpt());
        }
        return node;
    }

    /** The fact, or null when its type is not known to this version. */
    static Observed fact(JsonNode node) throws JsonProcessingException {
        Class<? extends Fact> type = FactTypes.named(node.path("fact").asText());
        if (type == null) {
            return null;
        }
        JsonNode from = node.path("from");
        Source source =
                new Source(
                        from.path("text").asText(),
                        from.path("line").asInt(),
                        from.path("excerpt").asText());
        return new Observed(record(node.path("is"), type), source);
    }
}
