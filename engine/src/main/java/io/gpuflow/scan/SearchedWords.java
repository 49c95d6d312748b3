package io.gpuflow.scan;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes off what somebody searched for: {@code dmesg | grep -i "fallen off the bus"}, pasted with
 * its answer, is no line that was found.
 */
final class SearchedWords {
    private static final Pattern COMMAND =
            Pattern.compile("(?:^|[\\s|`(;&$#>])(?:[efz]|rip)?grep +(?=[-'\"\\w\\\\(\\[])");

    private SearchedWords() {}

    /** The line up to a search command, or all of it. */
    static String off(String line) {
        if (!line.contains("grep ")) {
            return line;
        }
        Matcher m = COMMAND.matcher(line);
        return m.find() ? line.substring(0, m.start()) : line;
    }
}
