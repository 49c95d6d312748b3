package io.gpuflow.scan;

import java.util.ArrayList;
import java.util.List;

/**
 * The texts that every match of a regular expression must contain, so that a signature's text can
 * be checked against its pattern when it is loaded. Understands what the signatures use; where it
 * does not understand, it promises less.
 */
final class RequiredText {
    private final String pattern;
    private int at;

    private RequiredText(String pattern) {
        this.pattern = pattern;
    }

    /** True when a match of the pattern always contains the text. */
    static boolean implies(String pattern, String text) {
        return new RequiredText(pattern)
                .alternatives(false).stream()
                        .allMatch(runs -> runs.stream().anyMatch(r -> r.contains(text)));
    }

    /** One list of mandatory runs for each alternative, up to a closing bracket or the end. */
    private List<List<String>> alternatives(boolean inGroup) {
        List<List<String>> all = new ArrayList<>();
        List<String> runs = new ArrayList<>();
        StringBuilder run = new StringBuilder();
        while (at < pattern.length()) {
            char c = pattern.charAt(at);
            if (c == ')' && inGroup) {
                break;
            }
            if (c == '|') {
                at++;
                flush(runs, run);
                all.add(runs);
                runs = new ArrayList<>();
            } else if (c == '(') {
                group(runs, run);
            } else {
                piece(runs, run);
            }
        }
        flush(runs, run);
        all.add(runs);
        return all;
    }

    private void group(List<String> runs, StringBuilder run) {
        boolean plain = skipGroupHead();
        int head = at;
        List<List<String>> inner = alternatives(true);
        int end = at++;
        int least = quantifier();
        if (plain && least == 1 && inner.size() == 1) {
            int after = at;
            at = head;
            while (at < end) {
                if (pattern.charAt(at) == '(') {
                    group(runs, run);
                } else {
                    piece(runs, run);
                }
            }
            at = after;
            return;
        }
        flush(runs, run);
        if (plain && least >= 1 && inner.size() == 1) {
            runs.addAll(inner.get(0));
        }
    }

    /** True for a group whose content must be matched; false for a look-around. */
    private boolean skipGroupHead() {
        at++;
        if (at < pattern.length() && pattern.charAt(at) == '?') {
            char kind = pattern.charAt(at + 1);
            if (kind == ':') {
                at += 2;
                return true;
            }
            if (kind == '<' && Character.isLetter(pattern.charAt(at + 2))) {
                at = pattern.indexOf('>', at) + 1;
                return true;
            }
            at += kind == '<' ? 3 : 2;
            return false;
        }
        return true;
    }

    private void piece(List<String> runs, StringBuilder run) {
        char c = pattern.charAt(at);
        String literal = null;
        if (c == '\\') {
            char e = pattern.charAt(at + 1);
            at += 2;
            literal = Character.isLetterOrDigit(e) ? null : String.valueOf(e);
        } else if (c == '[') {
            skipClass();
        } else if (c == '.' || c == '^' || c == '$') {
            at++;
        } else {
            at++;
            literal = String.valueOf(c);
        }
        boolean anchor = c == '^' || c == '$';
        int least = anchor ? 1 : quantifier();
        if (literal != null && least == 1) {
            run.append(literal);
        } else if (literal != null && least == 2) {
            run.append(literal);
            flush(runs, run);
        } else if (!anchor) {
            flush(runs, run);
        }
    }

    private void skipClass() {
        at++;
        if (pattern.charAt(at) == '^') {
            at++;
        }
        if (pattern.charAt(at) == ']') {
            at++;
        }
        while (pattern.charAt(at) != ']') {
            at += pattern.charAt(at) == '\\' ? 2 : 1;
        }
        at++;
    }

    /** 1: exactly once; 2: once or more; 0: may be absent. */
    private int quantifier() {
        if (at >= pattern.length()) {
            return 1;
        }
        char c = pattern.charAt(at);
        int least;
        if (c == '?' || c == '*') {
            at++;
            least = 0;
        } else if (c == '+') {
            at++;
            least = 2;
        } else if (c == '{') {
            least = pattern.charAt(at + 1) == '0' ? 0 : 2;
            at = pattern.indexOf('}', at) + 1;
        } else {
            return 1;
        }
        if (at < pattern.length() && (pattern.charAt(at) == '?' || pattern.charAt(at) == '+')) {
            at++;
        }
        return least;
    }

    private static void flush(List<String> runs, StringBuilder run) {
        if (run.length() > 0) {
            runs.add(run.toString());
            run.setLength(0);
        }
    }
}
