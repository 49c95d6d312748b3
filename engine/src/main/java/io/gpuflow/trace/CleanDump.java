package io.gpuflow.trace;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A Flight Recorder dump, pickle or JSON, written anew as JSON with every text in it replaced: the
 * form in which it can be read anywhere and holds nothing that was not looked at.
 */
public final class CleanDump {
    private static final int DEEPEST = 64;

    /** A hostile pickle may hold one list many times over; bytes. */
    private static final long MOST = 512L << 20;

    private CleanDump() {}

    /**
     * Hands over every text in a dump.
     *
     * @throws IOException when it is none or can't be read
     */
    public static void texts(byte[] dump, Consumer<String> taker) throws IOException {
        write(
                dump,
                text -> {
                    taker.accept(text);
                    return text;
                },
                OutputStream.nullOutputStream());
    }

    /**
     * Writes it.
     *
     * @throws IOException when it is no dump or can't be read
     */
    public static void write(byte[] dump, UnaryOperator<String> texts, OutputStream out)
            throws IOException {
        Object value = DumpReader.value(dump);
        JsonMapper mapper =
                JsonMapper.builder().disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS).build();
        try (JsonGenerator json = mapper.getFactory().createGenerator(new Bounded(out))) {
            write(value, texts, json, 0);
        }
    }

    private static void write(
            Object value, UnaryOperator<String> texts, JsonGenerator json, int depth)
            throws IOException {
        if (depth > DEEPEST) {
            throw new IOException("it is nested deeper than " + DEEPEST);
        }
        if (value instanceof Dict dict) {
            json.writeStartObject();
            for (int i = 0; i < dict.size(); i++) {
                json.writeFieldName(texts.apply(String.valueOf(dict.key(i))));
                write(dict.value(i), texts, json, depth + 1);
            }
            json.writeEndObject();
        } else if (value instanceof Iterable<?> list) {
            json.writeStartArray();
            for (Object item : list) {
                write(item, texts, json, depth + 1);
            }
            json.writeEndArray();
        } else if (value instanceof String text) {
            json.writeString(texts.apply(text));
        } else {
            json.writeObject(value);
        }
    }

    private static final class Bounded extends FilterOutputStream {
        private long left = MOST;

        Bounded(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] b, int off, int len) throws IOException {
            left -= len;
            if (left < 0) {
                throw new IOException("it unfolds to more than " + (MOST >> 20) + " MiB");
            }
            out.write(b, off, len);
        }

        /** The stream stays open: it is not ours. */
        @Override
        public void close() throws IOException {
            out.flush();
        }
    }
}
