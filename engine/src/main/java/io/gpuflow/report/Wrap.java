package io.gpuflow.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Breaks text into lines between words; colours take no room. */
final class Wrap {
    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*m");

    private final int width;

    /**
     * @param width columns, or 0 to break nothing
     */
    Wrap(int width) {
        this.width = width;
    }

    /**
     * Text after a head, further lines indented.
     *
     * @param head what stands before the text on the first line
     * @param indent columns before the text on further lines
     */
    List<String> hanging(String head, int indent, String text) {
        if (width == 0) {
            return List.of(head + text);
        }
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(head);
        int used = columns(head);
        boolean first = true;
        for (String word : text.split(" ")) {
            int columns = columns(word);
            if (!first && used + 1 + columns > width) {
                lines.add(line.toString());
                line = new StringBuilder(" ".repeat(indent));
                used = indent;
                first = true;
            }
            line.append(first ? "" : " ").append(word);
            used += columns + (first ? 0 : 1);
            first = false;
        }
        lines.add(line.toString());
        return lines;
    }

    /** Columns a text takes on a terminal: East Asian wide characters take two. */
    static int columns(String text) {
        int columns = 0;
        Matcher colours = COLOUR.matcher(text);
        String plain = text.indexOf('\u001b') < 0 ? text : colours.replaceAll("");
        for (int c : plain.codePoints().toArray()) {
            int type = Character.getType(c);
            boolean none = type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK;
            columns += none ? 0 : wide(c) ? 2 : 1;
        }
        return columns;
    }

    private static boolean wide(int c) {
        return Character.isIdeographic(c)
                || (c >= 0x1100 && c <= 0x115f)
                || (c >= 0x3040 && c <= 0x30ff)
                || (c >= 0xac00 && c <= 0xd7a3)
                || (c >= 0xff00 && c <= 0xff60)
                || (c >= 0x1f300 && c <= 0x1faff);
    }
}
