package io.gpuflow.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts a finding's values into a rule's words. The value's name says its unit: {@code x_bytes} is
 * written in KiB, MiB or GiB, {@code x_share} as a percentage.
 */
public final class Words {
    private static final Pattern HOLE = Pattern.compile("\\$\\{\\{\\s*([\\w.]+)\\s*}}");

    private static final Pattern SEVERAL = Pattern.compile("\\d+(?:(?:, ?|-)\\d+)+");
    private static final Pattern RANK = Pattern.compile("(?:^|\\W)[Rr]ank $");

    private Words() {}

    /**
     * The text with every {@code ${{ name }}} replaced.
     *
     * @throws IllegalArgumentException when a name has no value
     */
    public static String fill(String text, Map<String, Object> values) {
        Matcher m = HOLE.matcher(text);
        StringBuilder out = new StringBuilder();
        while (m.find()) {
            String name = m.group(1);
            if (!values.containsKey(name)) {
                throw new IllegalArgumentException(
                        "${{ " + name + " }} has no value; there are " + values.keySet());
            }
            m.appendReplacement(out, "");
            plural(out, values.get(name));
            out.append(of(name, values.get(name)));
        }
        return m.appendTail(out).toString().strip();
    }

    /** Rank 3, but Ranks 3, 5: the word before several numbers is written with an s. */
    private static void plural(StringBuilder before, Object value) {
        boolean several =
                value instanceof List<?> list
                        ? list.stream().distinct().count() > 1
                        : value instanceof String s && SEVERAL.matcher(s).matches();
        if (several && RANK.matcher(before).find()) {
            before.insert(before.length() - 1, 's');
        }
    }

    /** The names that a text has holes for. */
    public static List<String> names(String text) {
        List<String> names = new ArrayList<>();
        Matcher m = HOLE.matcher(text);
        while (m.find()) {
            names.add(m.group(1));
        }
        return names;
    }

    /** One value in words. */
    public static String of(String name, Object value) {
        if (value == null) {
            return "unknown";
        }
        if (value instanceof List<?> list) {
            return list(name, list);
        }
        if (value instanceof Number n && name.endsWith("_bytes")) {
            return bytes(n.doubleValue());
        }
        if (value instanceof Number n && name.endsWith("_share")) {
            return number(n.doubleValue() * 100) + " %";
        }
        if (value instanceof Double || value instanceof Float) {
            return number(((Number) value).doubleValue());
        }
        return value instanceof Boolean b ? (b ? "yes" : "no") : value.toString();
    }

    private static String list(String name, List<?> list) {
        if (!list.isEmpty() && list.stream().allMatch(Integer.class::isInstance)) {
            return ranges(list.stream().map(Integer.class::cast).sorted().distinct().toList());
        }
        boolean nested = list.stream().anyMatch(List.class::isInstance);
        return String.join(
                nested ? " and " : ", ", list.stream().map(item -> of(name, item)).toList());
    }

    /** 0, 1, 2, 5 is written 0-2, 5. */
    private static String ranges(List<Integer> sorted) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < sorted.size(); ) {
            int j = i;
            while (j + 1 < sorted.size() && sorted.get(j + 1) == sorted.get(j) + 1) {
                j++;
            }
            parts.add(j == i ? "" + sorted.get(i) : sorted.get(i) + "-" + sorted.get(j));
            i = j + 1;
        }
        return String.join(", ", parts);
    }

    private static String bytes(double bytes) {
        String[] units = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
        int unit = 0;
        double value = bytes;
        while (Math.abs(value) >= 1024 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        return number(value) + " " + units[unit];
    }

    /** Three significant digits where a fraction says something, all digits of whole numbers. */
    public static String number(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return Double.toString(value);
        }
        double size = Math.abs(value);
        if (value == Math.rint(value) || size >= 100) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        int decimals = size >= 10 ? 1 : size >= 0.1 ? 2 : 4;
        String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
        return text.replaceAll("0+$", "").replaceAll("\\.$", "");
    }
}
