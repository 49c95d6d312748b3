package io.gpuflow.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What is said of a bundle that was made.
 *
 * @param bytes size of the archive
 * @param files how many are in it
 * @param changed by file what was done to it
 * @param left by file why it is not in it
 */
public record BundleText(
        String file,
        long bytes,
        int files,
        boolean redacted,
        Map<String, String> changed,
        Map<String, String> left) {
    private static final int MOST = 10;

    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(SafeText.line(file) + ": " + count(files, "file") + ", " + size(bytes));
        some("changed", changed, lines);
        some("left out", left, lines);
        lines.add(
                redacted
                        ? "Hosts, addresses, users, paths, serial numbers and tokens are replaced"
                                + " by stable names; read it through before it leaves the house."
                        : "Nothing is redacted: hosts, users and paths are in it.");
        lines.add("Read it: gpuflow diagnose " + SafeText.line(file));
        return lines;
    }

    private static void some(String what, Map<String, String> files, List<String> lines) {
        files.entrySet().stream()
                .limit(MOST)
                .forEach(
                        e ->
                                lines.add(
                                        "  "
                                                + what
                                                + "  "
                                                + SafeText.line(e.getKey() + ": " + e.getValue())));
        if (files.size() > MOST) {
            lines.add("  " + what + "  " + (files.size() - MOST) + " more; bundle.json lists all");
        }
    }

    private static String count(int n, String noun) {
        return n + " " + noun + (n == 1 ? "" : "s");
    }

    private static String size(long bytes) {
        if (bytes < 10_000) {
            return bytes + " bytes";
        }
        return bytes < 10_000_000
                ? bytes / 1000 + " kB"
                : String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
    }
}
