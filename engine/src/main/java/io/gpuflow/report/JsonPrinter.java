package io.gpuflow.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/**
 * Prints plain values as JSON: maps, lists, strings, numbers, booleans and null. It needs only the
 * streaming half of Jackson, which starts several times faster than data binding.
 */
public final class JsonPrinter {
    private JsonPrinter() {}

    /** Writes one value and a line end, as UTF-8. The stream stays open. */
    public static void print(Object value, OutputStream out) throws IOException {
        JsonFactory factory =
                JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();
        try (JsonGenerator json = factory.createGenerator(out)) {
            DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
            printer.indentArraysWith(new DefaultIndenter("  ", "\n"));
            json.setPrettyPrinter(printer.withObjectIndenter(new DefaultIndenter("  ", "\n")));
            write(value, json);
            json.writeRaw('\n');
        }
        out.flush();
    }

    private static void write(Object value, JsonGenerator json) throws IOException {
        if (value instanceof Map<?, ?> map) {
            json.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.writeFieldName(String.valueOf(entry.getKey()));
                write(entry.getValue(), json);
            }
            json.writeEndObject();
        } else if (value instanceof Iterable<?> values) {
            json.writeStartArray();
            for (Object element : values) {
                write(element, json);
            }
            json.writeEndArray();
        } else {
            writeSimple(value, json);
        }
    }

    private static void writeSimple(Object value, JsonGenerator json) throws IOException {
        if (value == null) {
            json.writeNull();
        } else if (value instanceof Boolean flag) {
            json.writeBoolean(flag);
        } else if (value instanceof Integer number) {
            json.writeNumber(number);
        } else if (value instanceof Long number) {
            json.writeNumber(number);
        } else if (value instanceof Double number && Double.isFinite(number)) {
            json.writeNumber(number);
        } else if (value instanceof Double) {
            json.writeNull();
        } else {
            json.writeString(value.toString());
        }
    }
}
