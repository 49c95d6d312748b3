package io.gpuflow.trace;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Reads a Python pickle that holds plain values only: dict, list, tuple, str, bytes, int, float,
 * bool, None. Opcodes that name or call anything (GLOBAL, REDUCE, BUILD, persistent ids,
 * extensions) are refused, so reading runs no code.
 *
 * <p>Opcodes and their operands: CPython Lib/pickletools.py, protocols 0 to 5 as far as plain
 * values need them.
 */
final class Pickle {
    /** More values than any real dump: 20,000 entries of some 60 values and 60 frames of 4. */
    static final int MAX_VALUES = 20_000_000;

    /** An empty dict is one byte in the file and more than fifty in memory. */
    static final int MAX_CONTAINERS = 6_000_000;

    private static final int MAX_DEPTH = 64;

    private final byte[] data;
    private int at;
    private int values;
    private int containers;
    private int marks;
    private final int[] markedAt = new int[MAX_DEPTH];
    private Object[] stack = new Object[256];
    private int top;
    private Object[] memo = new Object[256];
    private int memoised;

    private Pickle(byte[] data) {
        this.data = data;
    }

    /** The value that the pickle holds. */
    static Object read(byte[] data) throws TraceException {
        try {
            return new Pickle(data).load();
        } catch (ArrayIndexOutOfBoundsException
                | ClassCastException
                | NegativeArraySizeException e) {
            throw new TraceException("the pickle is cut off or damaged");
        }
    }

    /** True for bytes that start like a pickle of protocol 2 to 5. */
    static boolean looksLike(byte[] head) {
        return head.length > 2 && head[0] == (byte) 0x80 && head[1] >= 2 && head[1] <= 5;
    }

    private Object load() throws TraceException {
        byte[] data = this.data;
        while (true) {
            int op = data[at++] & 0xff;
            switch (op) {
                case 0x80 -> at++; // PROTO
                case 0x95 -> at += 8; // FRAME
                case '.' -> {
                    return pop();
                }
                case '(' -> mark();
                case '}' -> container(new Dict());
                case ']' -> container(new ArrayList<>(2));
                case ')' -> push(List.of());
                case 'N' -> push(null);
                case 0x88 -> push(Boolean.TRUE);
                case 0x89 -> push(Boolean.FALSE);
                case 'K' -> push((long) (data[at++] & 0xff));
                case 'M' -> push((long) two());
                case 'J' -> push((long) four());
                case 0x8a -> push(longOf(data[at++] & 0xff));
                case 0x8b -> push(longOf(length(4)));
                case 'G' -> push(doubleOf());
                case 'X' -> push(text(length(4)));
                case 0x8c -> push(text(data[at++] & 0xff));
                case 0x8d -> push(text(length(8)));
                case 'U', 'C' -> push(text(data[at++] & 0xff));
                case 'T', 'B' -> push(text(length(4)));
                case 'q' -> remember(data[at++] & 0xff);
                case 'r' -> remember(length(4));
                case 0x94 -> remember(memoised);
                case 'h' -> push(memo[data[at++] & 0xff]);
                case 'j' -> push(memo[length(4)]);
                case 'a' -> appendTo(pop());
                case 'e' -> appends();
                case 's' -> setItem();
                case 'u' -> setItems();
                case 't' -> container(tuple(sinceMark()));
                case 'l' -> container(new ArrayList<>(Arrays.asList(sinceMark())));
                case 'd' -> container(dict(sinceMark()));
                case 0x85 -> container(tuple(last(1)));
                case 0x86 -> container(tuple(last(2)));
                case 0x87 -> container(tuple(last(3)));
                case '0' -> pop();
                case '1' -> sinceMark();
                case '2' -> push(stack[top - 1]);
                case 'I' -> push(intLine());
                case 'L' -> push(intLine());
                default -> throw refused(op);
            }
        }
    }

    private TraceException refused(int op) {
        String what =
                switch (op) {
                    case 'c', 0x93, 'i', 'R', 'o', 'b', 0x81, 0x92, 'P', 'Q', 0x82, 0x83, 0x84 ->
                            "it names or calls Python code, which a Flight Recorder dump never does";
                    default -> "it has the unknown opcode " + op;
                };
        return new TraceException("refused at byte " + (at - 1) + ": " + what);
    }

    private void push(Object value) throws TraceException {
        if (++values > MAX_VALUES) {
            throw new TraceException("it holds more than " + MAX_VALUES + " values");
        }
        if (top == stack.length) {
            stack = Arrays.copyOf(stack, top * 2);
        }
        stack[top++] = value;
    }

    private void container(Object made) throws TraceException {
        if (++containers > MAX_CONTAINERS) {
            throw new TraceException("it holds more than " + MAX_CONTAINERS + " lists and dicts");
        }
        push(made);
    }

    private void mark() throws TraceException {
        if (marks == MAX_DEPTH) {
            throw new TraceException("it is nested deeper than " + MAX_DEPTH);
        }
        markedAt[marks++] = top;
    }

    /** What lies under the last mark is not to be had before the mark is. */
    private Object pop() {
        if (marks > 0 && top == markedAt[marks - 1]) {
            throw new ClassCastException("a mark is no value");
        }
        Object value = stack[--top];
        stack[top] = null;
        return value;
    }

    private Object[] last(int count) {
        if (marks > 0 && top - count < markedAt[marks - 1]) {
            throw new ClassCastException("a mark is no value");
        }
        Object[] taken = Arrays.copyOfRange(stack, top - count, top);
        top -= count;
        return taken;
    }

    private Object[] sinceMark() {
        int from = markedAt[--marks];
        Object[] taken = Arrays.copyOfRange(stack, from, top);
        top = from;
        return taken;
    }

    private static List<Object> tuple(Object[] items) {
        return Collections.unmodifiableList(Arrays.asList(items));
    }

    private static Dict dict(Object[] items) {
        Dict dict = new Dict();
        dict.putAll(items);
        return dict;
    }

    private Object container() {
        if (stack[top - 1] == null) {
            throw new ClassCastException("None is no container");
        }
        return stack[top - 1];
    }

    @SuppressWarnings("unchecked")
    private void appendTo(Object value) {
        ((ArrayList<Object>) container()).add(value);
    }

    @SuppressWarnings("unchecked")
    private void appends() {
        Object[] items = sinceMark();
        ((ArrayList<Object>) container()).addAll(Arrays.asList(items));
    }

    private void setItem() {
        Object value = pop();
        Object key = pop();
        ((Dict) container()).put(key, value);
    }

    private void setItems() {
        Object[] items = sinceMark();
        ((Dict) container()).putAll(items);
    }

    private void remember(int index) throws TraceException {
        if (index > MAX_VALUES) {
            throw new TraceException("its memo is larger than " + MAX_VALUES);
        }
        if (index >= memo.length) {
            memo = Arrays.copyOf(memo, Math.max(memo.length * 2, index + 1));
        }
        memo[index] = stack[top - 1];
        memoised = Math.max(memoised, index + 1);
    }

    private int two() {
        at += 2;
        return data[at - 2] & 0xff | (data[at - 1] & 0xff) << 8;
    }

    private int four() {
        at += 4;
        return data[at - 4] & 0xff
                | (data[at - 3] & 0xff) << 8
                | (data[at - 2] & 0xff) << 16
                | data[at - 1] << 24;
    }

    private long little(int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (data[at++] & 0xffL) << (8 * i);
        }
        return value;
    }

    private int length(int bytes) throws TraceException {
        long length = bytes == 4 ? four() & 0xffffffffL : little(bytes);
        if (length < 0 || length > data.length) {
            throw new TraceException("the pickle is cut off or damaged");
        }
        return (int) length;
    }

    private Long longOf(int bytes) throws TraceException {
        if (bytes > 8) {
            throw new TraceException("it holds an integer of " + bytes + " bytes");
        }
        long value = little(bytes);
        int unused = 64 - 8 * bytes;
        return bytes == 0 ? 0L : value << unused >> unused;
    }

    private Double doubleOf() {
        long bits = 0;
        for (int i = 0; i < 8; i++) {
            bits = bits << 8 | data[at++] & 0xff;
        }
        return Double.longBitsToDouble(bits);
    }

    private String text(int length) {
        if (at + length > data.length) {
            throw new ArrayIndexOutOfBoundsException(at + length);
        }
        String text = new String(data, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    private Object intLine() throws TraceException {
        int from = at;
        while (data[at] != '\n') {
            at++;
        }
        String digits = new String(data, from, at++ - from, StandardCharsets.US_ASCII);
        if (digits.equals("00") || digits.equals("01")) {
            return digits.equals("01");
        }
        try {
            return Long.valueOf(
                    digits.endsWith("L") ? digits.substring(0, digits.length() - 1) : digits);
        } catch (NumberFormatException e) {
            throw new TraceException(
                    "it holds the integer " + digits.length() + " characters long");
        }
    }
}
