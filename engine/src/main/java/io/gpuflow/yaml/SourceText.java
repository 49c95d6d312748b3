package io.gpuflow.yaml;

import java.util.ArrayList;
import java.util.List;

/** The text of a file, by line, for showing where a problem is. */
final class SourceText {
    final String file;
    final String text;
    private final List<Integer> starts = new ArrayList<>();

    /** Offset of each code point; empty when every one is a single char, null before first use. */
    private int[] offsets;

    private int lastNumber;
    private String lastLine = "";

    SourceText(String file, String text) {
        this.file = file;
        this.text = text;
        starts.add(0);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean crlf = c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n';
            if (c == '\n' || c == '\r' && !crlf) {
                starts.add(i + 1);
            }
        }
    }

    /** A line, counted from 1, without its end; empty when there is none. */
    String line(int number) {
        if (number != lastNumber) {
            lastLine = number < 1 || number > starts.size() ? "" : cut(number);
            lastNumber = number;
        }
        return lastLine;
    }

    private String cut(int number) {
        int end = number < starts.size() ? starts.get(number) : text.length();
        while (end > starts.get(number - 1) && "\r\n".indexOf(text.charAt(end - 1)) >= 0) {
            end--;
        }
        return text.substring(starts.get(number - 1), end);
    }

    /** The position of a UTF-16 offset. */
    Position at(int offset) {
        int low = 0;
        int high = starts.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (starts.get(middle) <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return new Position(file, low + 1, text.codePointCount(starts.get(low), offset) + 1);
    }

    /** The UTF-16 offset of the code point with this number, counted from 0. */
    int offset(int codePoint) {
        if (offsets == null) {
            offsets = new int[0];
            if (text.codePointCount(0, text.length()) < text.length()) {
                offsets = new int[text.codePointCount(0, text.length()) + 1];
                for (int i = 0, at = 0; i < offsets.length; i++) {
                    offsets[i] = at;
                    at += at < text.length() ? Character.charCount(text.codePointAt(at)) : 0;
                }
            }
        }
        int last = offsets.length == 0 ? text.length() : offsets.length - 1;
        int number = Math.min(codePoint, last);
        return offsets.length == 0 ? number : offsets[number];
    }
}
