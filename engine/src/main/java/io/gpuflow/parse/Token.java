package io.gpuflow.parse;

import java.util.ArrayList;
import java.util.List;

/** A word of a line and the column where it begins. */
record Token(String text, int start) {
    int end() {
        return start + text.length();
    }

    /** The words of a line: runs of anything but blanks and tabs. */
    static List<Token> in(String line) {
        List<Token> tokens = new ArrayList<>();
        int i = 0;
        while (i < line.length()) {
            while (i < line.length() && line.charAt(i) <= ' ') {
                i++;
            }
            int start = i;
            while (i < line.length() && line.charAt(i) > ' ') {
                i++;
            }
            if (i > start) {
                tokens.add(new Token(line.substring(start, i), start));
            }
        }
        return tokens;
    }
}
