package io.gpuflow.rules.explain;

import io.gpuflow.facts.LinkClass;
import io.gpuflow.rules.FactFields;
import io.gpuflow.rules.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says a condition of a rule in words, with the values that are known filled in. */
final class ConditionWords {
    /** One step of a sum: {@code $most : max( $e )}. */
    private static final Pattern FUNCTION =
            Pattern.compile("(\\$?\\w+)\\s*:\\s*(\\w+)\\s*\\(\\s*(\\$?\\w+)\\s*\\)");

    private static final Pattern TOKEN =
            Pattern.compile("\"(?:\\\\.|[^\"\\\\])*\"|\\$\\w+|[A-Za-z_]\\w*|.", Pattern.DOTALL);

    private final String head;
    private final Map<String, Object> values;

    /**
     * @param head package and imports of the rule
     * @param values what the conditions before bind, with or without $
     */
    ConditionWords(String head, Map<String, Object> values) {
        this.head = head;
        this.values = values;
    }

    String of(String condition) {
        Parts parts = Parts.of(head, condition);
        return switch (parts.kind()) {
            case PATTERN -> "there is " + fact(parts);
            case NOT -> "there is no " + fact(parts).replaceFirst("^an? ", "");
            case ACCUMULATE -> summed(condition, parts);
            default -> text(inner(condition));
        };
    }

    /** One constraint in words. */
    String constraint(String constraint) {
        return text(constraint);
    }

    private String fact(Parts parts) {
        String type = FactFields.snake(parts.type()).replace('_', ' ');
        String a = "aeiou".indexOf(type.charAt(0)) >= 0 ? "an " : "a ";
        List<String> words = parts.constraints().stream().map(this::text).toList();
        return a + type + (words.isEmpty() ? "" : " with " + String.join(", ", words));
    }

    private String summed(String condition, Parts parts) {
        List<Integer> cuts = ConditionTexts.semicolons(condition, condition.indexOf('('));
        int close = ConditionTexts.closing(condition, condition.indexOf('('));
        int end = cuts.size() > 1 ? cuts.get(1) : close;
        String step = cuts.isEmpty() ? "" : condition.substring(cuts.get(0) + 1, end);
        Matcher m = FUNCTION.matcher(step);
        List<String> sums = new ArrayList<>();
        while (m.find()) {
            String name = name(m.group(1));
            String function = m.group(2).replaceFirst("^collect(Set|List)$", "all values");
            sums.add(name + " is the " + function + " over them");
        }
        String test = cuts.size() > 1 ? ": " + text(condition.substring(end + 1, close)) : "";
        return "of each "
                + fact(parts).replaceFirst("^an? ", "")
                + ", "
                + String.join(", ", sums)
                + test;
    }

    private static String inner(String condition) {
        int open = condition.indexOf('(');
        return condition.startsWith("eval") && open > 0
                ? condition.substring(open + 1, ConditionTexts.closing(condition, open)).strip()
                : condition;
    }

    private String text(String code) {
        StringBuilder out = new StringBuilder();
        Matcher m = TOKEN.matcher(known(code).replace("LinkClass.", ""));
        while (m.find()) {
            out.append(word(m.group()));
        }
        return out.toString()
                .replace("&&", "and")
                .replace("||", "or")
                .replaceAll("\\s+", " ")
                .strip();
    }

    /** {@code x != null} says that x is known. */
    private static String known(String code) {
        return code.replaceAll("\\s*!=\\s*null\\b", " is known")
                .replaceAll("\\s*==\\s*null\\b", " is not known")
                .replaceAll(
                        "\\(\\s*\\((?:java\\.util\\.)?\\w+\\)\\s*(\\$\\w+)\\s*\\)\\.\\w+\\(\\)",
                        "$1")
                .replaceAll("\\(\\s*", "(")
                .replaceAll("\\s*\\)", ")");
    }

    private String word(String token) {
        if (token.length() > 1 && token.startsWith("$")) {
            Object value =
                    values.containsKey(token) ? values.get(token) : values.get(token.substring(1));
            return value == null ? "<" + name(token) + ">" : Words.of(name(token), value);
        }
        if (token.length() > 1 && token.startsWith("\"")) {
            String inner = token.substring(1, token.length() - 1);
            return inner.matches("[\\w./-]+") ? inner : token;
        }
        for (LinkClass c : LinkClass.values()) {
            if (c.name().equals(token)) {
                return c.label();
            }
        }
        return token.matches("[a-z]+[A-Z]\\w*") ? FactFields.snake(token) : token;
    }

    private static String name(String bound) {
        return FactFields.snake(bound.replace("$", "")).replace('_', ' ');
    }
}
