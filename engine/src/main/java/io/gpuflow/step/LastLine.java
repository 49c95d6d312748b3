package io.gpuflow.step;

/** What a command said last. */
final class LastLine {
    private static final int LONGEST = 200;

    private LastLine() {}

    /** The last line that says something, shortened; empty when there is none. */
    static String of(String text) {
        int end = text.length();
        while (end > 0) {
            int start = text.lastIndexOf('\n', end - 1) + 1;
            String line = text.substring(start, end).strip();
            if (line.chars().anyMatch(Character::isLetterOrDigit)) {
                return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
            }
            end = start - 1;
        }
        return "";
    }
}
