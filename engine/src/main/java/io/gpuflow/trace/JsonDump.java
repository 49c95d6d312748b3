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

    private final JsonParser parser;
    private int values;
    private int containers;

    private JsonDump(JsonParser parser) {
        this.parser = parser;
    }

    static Object read(byte[] data) throws TraceException {
        try (JsonParser parser = FACTORY.createParser(data)) {
            return parser.nextToken() == null ? null : new JsonDump(parser).value();
        } catch (JsonProcessingException e) {
            throw new TraceException("its JSON is damaged: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new TraceException(e.getMessage());
        }
    }

    /** As large as a pickle may be. */
    private Object value() throws IOException {
        if (++values > Pickle.MAX_VALUES || containers > Pickle.MAX_CONTAINERS) {
            throw new TraceException("it holds more than any real dump");
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> dict();
            case START_ARRAY -> list();
            case VALUE_NUMBER_INT -> integer();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> Boolean.TRUE;
            case VALUE_FALSE -> Boolean.FALSE;
            case VALUE_NULL -> null;
            default -> parser.getText();
        };
    }

    private Dict dict() throws IOException {
        containers++;
        List<Object> pairs = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            pairs.add(parser.currentName());
            parser.nextToken();
            pairs.add(value());
        }
        Dict dict = new Dict();
        dict.putAll(pairs.toArray());
        return dict;
    }

    private List<Object> list() throws IOException {
        containers++;
        List<Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value());
        }
        return items;
    }

    /** One too large for a long is no number that a dump has; it is kept as it stands. */
    private Object integer() throws IOException {
        return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                ? parser.getText()
                : (Object) parser.getLongValue();
    }
}
