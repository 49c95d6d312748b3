package io.gpuflow.rules.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Splits the condition part of a rule's text into its conditions, in order. */
final class ConditionTexts {
    private static final Pattern WHEN =
            Pattern.compile("\\bwhen\\b(.*?)\\n\\s*then\\b", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("\\s*(\\w+|\\|\\||&&)");

    /** Words after a closing bracket that carry a condition on. */
    private static final Set<String> GO_ON = Set.of("from", "or", "and", "over", "||", "&&");

    private ConditionTexts() {}

    /** The rule's text before its name: package and imports. */
    static String head(String drl) {
        int rule = drl.indexOf("\nrule ");
        return rule < 0 ? "" : drl.substring(0, rule + 1);
    }

    /** The conditions, each as it stands but for comments and line breaks. */
    static List<String> of(String drl) {
        Matcher m = WHEN.matcher(drl);
        if (!m.find()) {
            return List.of();
        }
        String text = m.group(1).replaceAll("//[^\\n]*", "").replaceAll("\\s+", " ").strip();
        List<String> conditions = new ArrayList<>();
        int start = 0;
        for (int at = 0; at < text.length(); at++) {
            if (text.charAt(at) == '(') {
                at = closing(text, at);
                if (!goesOn(text, at + 1)) {
                    conditions.add(text.substring(start, at + 1).strip());
                    start = at + 1;
                }
            }
        }
        return conditions;
    }

    /** Position of the bracket that closes the one at {@code open}; quoted text is skipped. */
    static int closing(String text, int open) {
        int depth = 0;
        for (int at = open; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"') {
                at = endOfQuote(text, at);
            } else if (c == '(') {
                depth++;
            } else if (c == ')' && --depth == 0) {
                return at;
            }
        }
        return text.length() - 1;
    }

    /** Positions of the semicolons directly inside of the brackets that open at {@code open}. */
    static List<Integer> semicolons(String text, int open) {
        List<Integer> found = new ArrayList<>();
        int depth = 0;
        int end = closing(text, open);
        for (int at = open; at <= end; at++) {
            char c = text.charAt(at);
            if (c == '"') {
                at = endOfQuote(text, at);
            } else if (c == '(') {
                depth++;
            } else if (c == ')') {
                depth--;
            } else if (c == ';' && depth == 1) {
                found.add(at);
            }
        }
        return found;
    }

    private static int endOfQuote(String text, int quote) {
        for (int at = quote + 1; at < text.length(); at++) {
            if (text.charAt(at) == '\\') {
                at++;
            } else if (text.charAt(at) == '"') {
                return at;
            }
        }
        return text.length() - 1;
    }

    private static boolean goesOn(String text, int at) {
        Matcher word = WORD.matcher(text);
        return word.find(at) && word.start() == at && GO_ON.contains(word.group(1));
    }
}
