package io.gpuflow.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads a dump in JSON into the same plain values that {@link Pickle} gives. */
final class JsonDump {
    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                    .streamReadConstraints(
                            StreamReadConstraints.builder().maxNestingDepth(64).build())
                    .build();

    private JsonDump() {}

    static Object read(byte[] data) throws TraceException {
        try (JsonParser parser = FACTORY.createParser(data)) {
            return parser.nextToken() == null ? null : value(parser);
        } catch (JsonProcessingException e) {
            throw new TraceException("its JSON is damaged: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new TraceException(e.getMessage());
        }
    }

    private static Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> dict(parser);
            case START_ARRAY -> list(parser);
            case VALUE_NUMBER_INT -> integer(parser);
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> Boolean.TRUE;
            case VALUE_FALSE -> Boolean.FALSE;
            case VALUE_NULL -> null;
            default -> parser.getText();
        };
    }

    private static Dict dict(JsonParser parser) throws IOException {
        List<Object> pairs = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            pairs.add(parser.currentName());
            parser.nextToken();
            pairs.add(value(parser));
        }
        Dict dict = new Dict();
        dict.putAll(pairs.toArray());
        return dict;
    }

    private static List<Object> list(JsonParser parser) throws IOException {
        List<Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(parser));
        }
        return items;
    }

    /** One too large for a long is no number that a dump has; it is kept as it stands. */
    private static Object integer(JsonParser parser) throws IOException {
        return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                ? parser.getText()
                : (Object) parser.getLongValue();
    }
}
