package io.gpuflow.expr;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Patterns of users. They are RE2's, as CEL has them: the time is linear in the text whatever the
 * pattern is. What is left to limit is the size of the compiled pattern, since repeat counts
 * multiply.
 */
public final class Patterns {
    /** What to tell whoever wrote a pattern that is none. */
    public static final String HINT = "patterns are RE2: no look-around, no back-references";

    private static final int LONGEST = 1_000;
    private static final long LARGEST = 10_000;

    private Patterns() {}

    /** Compiles a pattern. */
    public static Pattern compile(String pattern) throws PatternSyntaxException {
        if (pattern.length() > LONGEST) {
            throw new PatternSyntaxException("longer than " + LONGEST + " characters", "");
        }
        if (size(pattern) > LARGEST) {
            throw new PatternSyntaxException("its repeat counts multiply too far", pattern);
        }
        return Pattern.compile(pattern);
    }

    /** What is wrong, in one line. */
    public static String problem(PatternSyntaxException e) {
        String where =
                e.getPattern() == null || e.getPattern().isEmpty() ? "" : ": " + e.getPattern();
        return "not a pattern: " + e.getDescription() + where;
    }

    /** About how many states the pattern has; too many rather than too few. */
    private static long size(String pattern) {
        Deque<Long> outer = new ArrayDeque<>();
        long group = 0;
        long last = 0;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            long times = c == '{' ? repeat(pattern, i) : 1;
            if (times > 1) {
                group += last * (times - 1);
                last *= times;
            } else if (c == '(') {
                outer.push(group);
                group = 0;
                last = 0;
            } else if (c == ')' && !outer.isEmpty()) {
                last = group + 1;
                group = outer.pop() + last;
            } else {
                i = past(pattern, i, c);
                last = 1;
                group++;
            }
            if (group > LARGEST) {
                return group;
            }
        }
        while (!outer.isEmpty()) {
            group += outer.pop();
        }
        return group;
    }

    /** Index of the last character of an escape or a class. */
    private static int past(String pattern, int at, char c) {
        if (c == '\\') {
            return at + 1;
        }
        if (c != '[') {
            return at;
        }
        int end = at + 1;
        boolean first = true;
        while (end < pattern.length() && (first || pattern.charAt(end) != ']')) {
            first = first && pattern.charAt(end) == '^';
            end += pattern.charAt(end) == '\\' ? 2 : 1;
        }
        return end;
    }

    /** The larger count of {n}, {n,} or {n,m}; 1 when it is none of these. */
    private static long repeat(String pattern, int at) {
        long count = 0;
        long most = 0;
        for (int i = at + 1; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c >= '0' && c <= '9') {
                count = Math.min(LARGEST, count * 10 + (c - '0'));
            } else if (c == ',') {
                most = count;
                count = 0;
            } else {
                return c == '}' ? Math.max(1, Math.max(most, count)) : 1;
            }
        }
        return 1;
    }
}
