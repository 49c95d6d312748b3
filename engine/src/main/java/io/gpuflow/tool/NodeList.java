package io.gpuflow.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Slurm's short form of host names: {@code gpu[01-04,07],login1}. */
final class NodeList {
    private static final int MOST = 10_000;
    private static final Pattern ENTRY =
            Pattern.compile("([A-Za-z0-9._-]*)(?:\\[([0-9,-]+)\\])?([A-Za-z0-9._-]*)(?:,|$)");
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

    private NodeList() {}

    static List<String> expand(String list) {
        List<String> hosts = new ArrayList<>();
        Matcher entry = ENTRY.matcher(list);
        while (entry.find() && hosts.size() < MOST) {
            if (entry.group(2) != null) {
                addRanges(entry.group(1), entry.group(2), entry.group(3), hosts);
            } else if (!entry.group().isEmpty() && !entry.group(1).isEmpty()) {
                hosts.add(entry.group(1) + entry.group(3));
            }
        }
        return hosts;
    }

    private static void addRanges(String before, String ranges, String after, List<String> into) {
        Matcher range = RANGE.matcher(ranges);
        while (range.find()) {
            String first = range.group(1);
            int low = Integer.parseInt(first);
            int high = range.group(2) == null ? low : Integer.parseInt(range.group(2));
            for (int i = low; i <= high && into.size() < MOST; i++) {
                into.add(before + String.format("%0" + first.length() + "d", i) + after);
            }
        }
    }
}
