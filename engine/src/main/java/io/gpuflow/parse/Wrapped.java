package io.gpuflow.parse;

import io.gpuflow.parse.DeviceTable.Words;
import java.util.ArrayList;
import java.util.List;

/**
 * Undoes what a terminal narrower than the table did: it went on in the next line at its last
 * column, also in the middle of a word.
 */
final class Wrapped {
    /** No terminal is narrower; a shorter line ends where it should. */
    private static final int NARROWEST = 40;

    private Wrapped() {}

    /**
     * The lines with wrapped ones put together; the places of those that were appended hold empty
     * lines, so that line numbers stay.
     */
    static List<String> joined(List<String> lines, Words words) {
        for (int i = 0; i + 1 < lines.size(); i++) {
            String line = lines.get(i);
            if (line.length() < NARROWEST || !isRest(lines.get(i + 1), words)) {
                continue;
            }
            boolean head = Heading.in(line, words) != null;
            if (head && fills(lines, i + 1, line.length(), words)) {
                return joined(lines, i, line.length(), words);
            }
            if (isCutHeading(lines, i, words)) {
                List<String> joined = new ArrayList<>(lines);
                joined.set(i, line + lines.get(i + 1));
                joined.set(i + 1, "");
                return joined;
            }
        }
        return lines;
    }

    /** A heading that alone was too long: cut in "GPU NUMA ID", with rows right below its rest. */
    private static boolean isCutHeading(List<String> lines, int at, Words words) {
        String rest = lines.get(at + 1);
        boolean rowBelow = at + 2 < lines.size() && !isRest(lines.get(at + 2), words);
        if (!rowBelow || rest.isBlank() || !namesGpu(lines.get(at), words)) {
            return false;
        }
        Heading cut = Heading.in(lines.get(at), words);
        Heading whole = Heading.in(lines.get(at) + rest, words);
        return whole != null && (cut == null || whole.extras().size() > cut.extras().size());
    }

    private static boolean namesGpu(String line, Words words) {
        for (Token token : Token.in(line)) {
            if (words.isGpu(token.text())) {
                return true;
            }
        }
        return false;
    }

    /** True when a row below is as long as the head and goes on in its next line. */
    private static boolean fills(List<String> lines, int from, int width, Words words) {
        for (int i = from; i + 1 < lines.size() && i < from + 8; i++) {
            boolean row = !isRest(lines.get(i), words);
            if (row && lines.get(i).length() == width && isRest(lines.get(i + 1), words)) {
                return true;
            }
        }
        return false;
    }

    private static List<String> joined(List<String> lines, int from, int width, Words words) {
        List<String> joined = new ArrayList<>(lines);
        int i = from;
        while (i < lines.size() && !lines.get(i).isBlank()) {
            StringBuilder whole = new StringBuilder(lines.get(i));
            int next = i + 1;
            while (next < lines.size()
                    && lines.get(next - 1).length() == width
                    && isRest(lines.get(next), words)) {
                whole.append(lines.get(next));
                joined.set(next, "");
                next++;
            }
            joined.set(i, whole.toString());
            i = next;
        }
        return joined;
    }

    /** A line that is no row of its own: it does not begin with a device and a cell. */
    private static boolean isRest(String line, Words words) {
        List<Token> tokens = Token.in(line);
        return tokens.size() < 2
                || words.isCell(tokens.get(0).text())
                || !words.isCell(tokens.get(1).text());
    }
}
