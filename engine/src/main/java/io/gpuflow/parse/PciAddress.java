package io.gpuflow.parse;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One spelling for PCI addresses: lower case, four-digit domain, with function (0000:1b:00.0). */
public final class PciAddress {
    private static final Pattern ADDRESS =
            Pattern.compile(
                    "(?:([0-9a-f]{4,8}):)?([0-9a-f]{1,2}):([0-9a-f]{1,2})(?:\\.([0-7]))?",
                    Pattern.CASE_INSENSITIVE);

    private PciAddress() {}

    /**
     * Normalises 00000000:1B:00.0, PCI:0000:1b:00 or 1b:00.0; what is no PCI address gives null. A
     * domain above ffff (virtual ones, as Azure makes them) keeps its digits.
     */
    public static String of(String text) {
        if (text == null) {
            return null;
        }
        String bare = text.trim();
        if (bare.regionMatches(true, 0, "PCI:", 0, 4)) {
            bare = bare.substring(4);
        }
        Matcher m = ADDRESS.matcher(bare);
        if (!m.matches()) {
            return null;
        }
        long domain = m.group(1) == null ? 0 : Long.parseLong(m.group(1), 16);
        String function = m.group(4) == null ? "0" : m.group(4);
        return String.format(
                Locale.ROOT,
                "%04x:%02x:%02x.%s",
                domain,
                Integer.parseInt(m.group(2), 16),
                Integer.parseInt(m.group(3), 16),
                function);
    }
}
