package io.gpuflow.advise;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A JSON object as maps, lists, texts, numbers and booleans; whatever is in it, reading ends. */
public final class JsonTree {
    private static final JsonFactory JSON =
            JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(40)
                                    .maxNumberLength(40)
                                    .maxNameLength(1000)
                                    .build())
                    .build();

    private JsonTree() {}

    /**
     * @param name of the file, for messages
     */
    public static Map<String, Object> read(String name, String text) throws BadModel {
        try (JsonParser json = JSON.createParser(text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw bad(name, 1, "not a JSON object; expected a model's config.json");
            }
            Map<String, Object> tree = object(json);
            if (json.nextToken() != null) {
                int line = json.currentTokenLocation().getLineNr();
                throw bad(name, line, "something follows the JSON object");
            }
            return tree;
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw bad(name, line, "not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw bad(name, 1, "can't be read: " + e.getMessage());
        }
    }

    private static BadModel bad(String name, int line, String what) {
        return new BadModel(List.of(name + ":" + line + ": " + what));
    }

    private static Map<String, Object> object(JsonParser json) throws IOException {
        Map<String, Object> map = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String key = json.currentName();
            json.nextToken();
            map.put(key, value(json));
        }
        return map;
    }

    private static Object value(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> object(json);
            case START_ARRAY -> array(json);
            case VALUE_STRING -> json.getText();
            case VALUE_NUMBER_INT -> integer(json);
            case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    private static Object integer(JsonParser json) throws IOException {
        return json.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                ? (Object) json.getDoubleValue()
                : (Object) json.getLongValue();
    }

    private static List<Object> array(JsonParser json) throws IOException {
        List<Object> list = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            list.add(value(json));
        }
        return list;
    }
}
