package io.gpuflow.report;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints plain values for a person: a key and its value a line, nested ones indented. */
public final class ValuesPrinter {
    private static final int MAX_LINE = 100;

    private ValuesPrinter() {}

    /** Prints one object a paragraph. */
    public static void print(List<Map<String, Object>> objects, PrintStream out) {
        boolean first = true;
        for (Map<String, Object> object : objects) {
            if (!first) {
                out.println();
            }
            first = false;
            print(object, "", out);
        }
        out.flush();
    }

    private static void print(Map<?, ?> map, String indent, PrintStream out) {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            Object value = entry.getValue();
            String key = indent + SafeText.line(String.valueOf(entry.getKey())) + ":";
            if (value instanceof Map<?, ?> inner && !inner.isEmpty()) {
                out.println(key);
                print(inner, indent + "  ", out);
            } else if (value instanceof List<?> list && isLong(list)) {
                out.println(key);
                for (Object element : list) {
                    out.println(indent + "  - " + plain(element));
                }
            } else {
                boolean noError = value == null && key.strip().startsWith("error");
                out.println(key + " " + (noError ? "none" : plain(value)));
            }
        }
    }

    private static boolean isLong(List<?> list) {
        return list.toString().length() > MAX_LINE;
    }

    private static String plain(Object value) {
        if (value == null) {
            return "not known";
        }
        if (value instanceof List<?> list) {
            return list.isEmpty() ? "none" : SafeText.line(words(list));
        }
        return SafeText.line(value instanceof Map<?, ?> map ? words(map) : value.toString());
    }

    /** [a, b]; groups, of GPUs for instance, as 0,1 | 2,3. */
    private static String words(List<?> list) {
        boolean groups = list.stream().allMatch(e -> e instanceof List<?> g && !g.isEmpty());
        if (!groups) {
            return list.stream()
                    .map(e -> e instanceof Map<?, ?> map ? "{" + words(map) + "}" : e + "")
                    .collect(Collectors.joining(", ", "[", "]"));
        }
        return list.stream()
                .map(g -> ((List<?>) g).stream().map(String::valueOf))
                .map(g -> g.collect(Collectors.joining(",")))
                .collect(Collectors.joining(" | "));
    }

    /** kind=xid, code=79: what a tool did not say is left out. */
    private static String words(Map<?, ?> map) {
        return map.entrySet().stream()
                .filter(e -> e.getValue() != null)
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(", "));
    }
}
