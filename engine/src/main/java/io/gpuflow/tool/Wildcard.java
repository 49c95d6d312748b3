package io.gpuflow.tool;

/**
 * Matches one file name against {@code *}, {@code ?} and {@code [0-9]} as a shell does, in time
 * proportional to both lengths multiplied. A leading dot is matched only by a dot.
 */
final class Wildcard {
    private final String pattern;

    Wildcard(String pattern) {
        this.pattern = pattern;
    }

    static boolean isPattern(String name) {
        return name.indexOf('*') >= 0 || name.indexOf('?') >= 0 || name.indexOf('[') >= 0;
    }

    boolean matches(String name) {
        if (name.startsWith(".") && !pattern.startsWith(".")) {
            return false;
        }
        int p = 0;
        int n = 0;
        int star = -1;
        int resume = 0;
        while (n < name.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                resume = n;
            } else if (p < pattern.length() && matchesOne(p, name.charAt(n))) {
                p = after(p);
                n++;
            } else if (star >= 0) {
                // The last star takes one character more; earlier ones never need to.
                p = star + 1;
                n = ++resume;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    private boolean matchesOne(int p, char c) {
        char wanted = pattern.charAt(p);
        if (wanted == '?') {
            return true;
        }
        return isChoice(p) ? inChoice(p, c) : wanted == c;
    }

    private boolean isChoice(int p) {
        return pattern.charAt(p) == '[' && pattern.indexOf(']', p + 2) > 0;
    }

    private int after(int p) {
        return isChoice(p) ? pattern.indexOf(']', p + 2) + 1 : p + 1;
    }

    private boolean inChoice(int p, char c) {
        int end = after(p) - 1;
        boolean not = pattern.charAt(p + 1) == '!' || pattern.charAt(p + 1) == '^';
        boolean in = false;
        int i = not ? p + 2 : p + 1;
        while (i < end) {
            boolean range = i + 2 < end && pattern.charAt(i + 1) == '-';
            char low = pattern.charAt(i);
            char high = range ? pattern.charAt(i + 2) : low;
            in |= low <= c && c <= high;
            i += range ? 3 : 1;
        }
        return in != not;
    }
}
