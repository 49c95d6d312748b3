package io.gpuflow.tool;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/** Cuts a stream of bytes into lines; a carriage return ends one too, as progress bars use it. */
final class LineSplitter {
    /** Longer ones come in pieces. */
    private static final int LONGEST = 1 << 14;

    private final Consumer<String> lines;
    private byte[] line = new byte[256];
    private int length;
    private boolean afterReturn;

    LineSplitter(Consumer<String> lines) {
        this.lines = lines;
    }

    void add(byte[] bytes, int count) {
        for (int i = 0; i < count; i++) {
            byte next = bytes[i];
            boolean secondOfPair = next == '\n' && afterReturn;
            afterReturn = next == '\r';
            if (secondOfPair) {
                continue;
            }
            if (next == '\n' || next == '\r') {
                tell();
            } else {
                append(next);
            }
        }
    }

    private void append(byte next) {
        if (length == LONGEST) {
            tell();
        }
        if (length == line.length) {
            line = Arrays.copyOf(line, length * 2);
        }
        line[length++] = next;
    }

    /** Tells the last line, if it had no end. */
    void end() {
        if (length > 0) {
            tell();
        }
    }

    private void tell() {
        String text = new String(line, 0, length, StandardCharsets.UTF_8);
        length = 0;
        lines.accept(text);
    }
}
