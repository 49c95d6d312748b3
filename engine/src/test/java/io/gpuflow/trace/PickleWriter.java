package io.gpuflow.trace;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes plain values as PyTorch's own pickler does: protocol 2, strings kept in the memo. */
final class PickleWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Map<String, Integer> memo = new HashMap<>();

    private PickleWriter() {}

    static byte[] write(Object value) {
        PickleWriter writer = new PickleWriter();
        writer.out.write(0x80);
        writer.out.write(2);
        writer.value(value);
        writer.out.write('.');
        return writer.out.toByteArray();
    }

    private void value(Object value) {
        if (value == null) {
            out.write('N');
        } else if (value instanceof Boolean yes) {
            out.write(yes ? 0x88 : 0x89);
        } else if (value instanceof Number n) {
            number(n.longValue());
        } else if (value instanceof String text) {
            string(text);
        } else if (value instanceof Map<?, ?> map) {
            out.write('}');
            out.write('(');
            map.forEach(
                    (k, v) -> {
                        value(k);
                        value(v);
                    });
            out.write('u');
        } else if (value instanceof Object[] tuple) {
            out.write('(');
            for (Object each : tuple) {
                value(each);
            }
            out.write('t');
        } else {
            out.write(']');
            out.write('(');
            ((List<?>) value).forEach(this::value);
            out.write('e');
        }
    }

    private void number(long n) {
        if (n >= 0 && n < 256) {
            out.write('K');
            out.write((int) n);
        } else if (n >= Integer.MIN_VALUE && n <= Integer.MAX_VALUE) {
            out.write('J');
            little(n, 4);
        } else {
            out.write(0x8a);
            out.write(8);
            little(n, 8);
        }
    }

    private void string(String text) {
        Integer known = memo.get(text);
        if (known != null) {
            out.write(known < 256 ? 'h' : 'j');
            little(known, known < 256 ? 1 : 4);
            return;
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.write('X');
        little(utf8.length, 4);
        out.writeBytes(utf8);
        int place = memo.size();
        memo.put(text, place);
        out.write(place < 256 ? 'q' : 'r');
        little(place, place < 256 ? 1 : 4);
    }

    private void little(long n, int bytes) {
        for (int i = 0; i < bytes; i++) {
            out.write((int) (n >> 8 * i));
        }
    }
}
