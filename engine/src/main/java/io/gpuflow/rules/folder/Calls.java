package io.gpuflow.rules.folder;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a rule may call: what compares values and puts them together, and components of facts. Rules
 * are code; this keeps them from files, processes and the network, by their text.
 */
final class Calls {
    static final String ALLOWED_WORDS =
            "Map.of, List.of, String.valueOf, String.join, Math, Versions, RankList, values of facts";

    /** Types whose static methods compute and do nothing else. */
    private static final Set<String> PURE =
            Set.of(
                    "Map",
                    "List",
                    "Set",
                    "String",
                    "Math",
                    "Integer",
                    "Long",
                    "Double",
                    "Boolean",
                    "Objects",
                    "Collectors",
                    "Stream",
                    "Comparator",
                    "Versions",
                    "GpuArchs",
                    "RankList",
                    "VirtualAddress",
                    "Words");

    private static final Set<String> MADE =
            Set.of("Finding", "Advice", "ArrayList", "TreeSet", "TreeMap", "HashMap", "HashSet");

    /** By these any value leads to a class, a thread or a lock. */
    private static final Set<String> NEVER =
            Set.of(
                    "getClass",
                    "forName",
                    "newInstance",
                    "getClassLoader",
                    "loadClass",
                    "getResource",
                    "getResourceAsStream",
                    "getMethods",
                    "getConstructor",
                    "getDeclaredConstructor",
                    "getField",
                    "getDeclaredField",
                    "getMethod",
                    "getDeclaredMethod",
                    "invoke",
                    "wait",
                    "notify",
                    "notifyAll");

    /** What the rule engine offers beside insertLogical. */
    private static final Set<String> ENGINE =
            Set.of("insert", "update", "modify", "retract", "delete", "halt");

    private static final Set<String> STATEMENTS =
            Set.of("while", "for", "switch", "try", "synchronized", "throw");

    private static final Pattern CLASS = Pattern.compile("\\.\\s*class\\b");
    private static final Pattern QUOTED = Pattern.compile("\"(?:\\\\.|[^\"\\\\])*\"");
    private static final Pattern COMMENT = Pattern.compile("//[^\\n]*|/\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern CALL =
            Pattern.compile(
                    "(new\\s+)?((?:[\\w$]+\\s*\\.\\s*)*)([\\w$]+)\\s*(?:<[\\w\\s,.<>]*>)?\\s*\\(");

    private Calls() {}

    /** What {@code then} calls and may not, each as it stands. */
    static Set<String> notAllowed(String then) {
        return notAllowed(then, true);
    }

    /** The same of conditions, where a name before a bracket is a fact type or a keyword. */
    static Set<String> notAllowedInConditions(String when) {
        return notAllowed(when, false);
    }

    private static Set<String> notAllowed(String code, boolean consequence) {
        String text = COMMENT.matcher(QUOTED.matcher(code).replaceAll("\"\"")).replaceAll(" ");
        Set<String> found = new TreeSet<>();
        Matcher m = CALL.matcher(text);
        while (m.find()) {
            String before = m.group(2).replaceAll("\\s", "");
            String name = m.group(3);
            boolean made = m.group(1) != null;
            boolean free = before.isEmpty() && !consequence && !NEVER.contains(name);
            if (made ? !MADE.contains(name) : !free && !allowed(before, name)) {
                found.add((made ? "new " : "") + before + name);
            }
        }
        if (CLASS.matcher(text).find()) {
            found.add(".class");
        }
        for (String word : consequence ? STATEMENTS : Set.<String>of()) {
            if (Pattern.compile("\\b" + word + "\\b").matcher(text).find()) {
                found.add(word);
            }
        }
        return found;
    }

    private static boolean allowed(String before, String name) {
        if (before.isEmpty()) {
            // A method of the result before it, as in (a).size().
            return !NEVER.contains(name) && !ENGINE.contains(name);
        }
        if (NEVER.contains(name)) {
            return false;
        }
        String[] parts = before.split("\\.");
        String last = parts[parts.length - 1];
        if (Character.isUpperCase(last.charAt(0))) {
            return PURE.contains(last) && (parts.length == 1 || before.startsWith("java.util."));
        }
        return !Set.of("java", "javax", "io", "org", "drools", "kcontext").contains(parts[0]);
    }
}
