package io.gpuflow.parse;

import java.util.ArrayList;
import java.util.List;

/**
 * A text cut into lines, freed of what terminals and editors add: escape codes, carriage returns, a
 * byte order mark, non-breaking blanks. Line n of the text is element n − 1.
 */
final class Lines {
    private static final char ESCAPE = '\u001b';

    private Lines() {}

    static List<String> of(String raw) {
        String text = Escapes.hasEntities(raw) ? Escapes.withoutEntities(raw) : raw;
        List<String> lines = new ArrayList<>();
        char end = text.indexOf('\n') < 0 ? '\r' : '\n';
        int start = !text.isEmpty() && text.charAt(0) == '\ufeff' ? 1 : 0;
        while (start < text.length()) {
            int stop = text.indexOf(end, start);
            if (stop < 0) {
                stop = text.length();
            }
            lines.add(LaunchTag.without(plain(text.substring(start, stop))));
            start = stop + 1;
        }
        return lines;
    }

    /** The line as a terminal would leave it on the screen. */
    static String plain(String line) {
        int end = line.length();
        while (end > 0 && line.charAt(end - 1) == '\r') {
            end--;
        }
        int start = line.lastIndexOf('\r', end - 1) + 1;
        if (start == 0 && end == line.length() && isPlain(line)) {
            return line;
        }
        StringBuilder plain = new StringBuilder(end - start);
        for (int i = start; i < end; i++) {
            char c = line.charAt(i);
            if (c == ESCAPE) {
                i = endOfEscape(line, i, end);
            } else if (c == '[' && endOfColour(line, i) > i) {
                i = endOfColour(line, i);
            } else if (c == '^' && line.startsWith("[[", i + 1) && endOfColour(line, i + 2) > i) {
                i = endOfColour(line, i + 2);
            } else if (isBlank(c)) {
                plain.append(' ');
            } else if (!isJunk(c)) {
                plain.append(c);
            }
        }
        return plain.toString();
    }

    private static boolean isPlain(String line) {
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            boolean colour = c == '[' && endOfColour(line, i) > i;
            if (isJunk(c) || colour || c > ' ' && isBlank(c)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBlank(char c) {
        return c == '\u00a0' || c == '\u2007' || c == '\u202f' || c == '\u3000';
    }

    private static boolean isJunk(char c) {
        return c < ' ' && c != '\t' || c == '\u007f' || c == '\u200b' || c == '\ufeff';
    }

    /**
     * The m of a colour code that lost its escape character in a paste, as in "[4mGPU0 … ID[0m", or
     * −1. Only codes that nvidia-smi and shells use: nothing like "[12m30s]".
     */
    private static int endOfColour(String line, int open) {
        int number = 0;
        for (int i = open + 1; i < line.length() && i < open + 10; i++) {
            char c = line.charAt(i);
            if (c >= '0' && c <= '9') {
                number = number * 10 + c - '0';
            } else if ((c == 'm' || c == ';') && i > open + 1 && isColour(number)) {
                if (c == 'm') {
                    return i;
                }
                number = 0;
            } else {
                return -1;
            }
        }
        return -1;
    }

    private static boolean isColour(int code) {
        return code <= 1 || code == 4 || code >= 30 && code <= 49 || code >= 90 && code <= 97;
    }

    /**
     * The last character of the escape code that begins at i: ESC [ … letter, ESC ] … BEL, ESC x.
     */
    private static int endOfEscape(String line, int i, int end) {
        if (i + 1 >= end) {
            return i;
        }
        char kind = line.charAt(i + 1);
        if (kind == '[') {
            for (int k = i + 2; k < end; k++) {
                char c = line.charAt(k);
                if (c >= '@' && c <= '~') {
                    return k;
                }
            }
            return end - 1;
        }
        if (kind == ']') {
            int bell = line.indexOf('\u0007', i);
            return bell >= 0 && bell < end ? bell : end - 1;
        }
        return i + 1;
    }
}
