package io.gpuflow.parse;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What was asked with nvidia-smi topo -p2p: r, w, n, a, p, or several letters. */
final class P2pCapability {
    static final String UNKNOWN = "unknown";

    private static final String[][] TITLES = {
        {"p2p read", "read"}, {"p2p write", "write"}, {"p2p nvlink", "nvlink"},
        {"p2p atomics", "atomics"}, {"p2p atomic", "atomics"}, {"p2p pci", "prop (pcie)"},
    };

    private P2pCapability() {}

    /** The capability that a command line, a title or a file name tells, or unknown. */
    static String in(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        int at = Math.max(lower.lastIndexOf("-p2p "), lower.lastIndexOf("-p2p-"));
        if (at >= 0) {
            String named = named(lower, at + 5);
            if (named != null) {
                return named;
            }
        }
        for (String[] title : TITLES) {
            if (lower.contains(title[0])) {
                return title[1];
            }
        }
        return UNKNOWN;
    }

    private static String named(String text, int from) {
        int start = from;
        while (start < text.length() && text.charAt(start) == ' ') {
            start++;
        }
        List<String> names = new ArrayList<>();
        for (int i = start; i < text.length(); i++) {
            char letter = text.charAt(i);
            String name =
                    switch (letter) {
                        case 'r' -> "read";
                        case 'w' -> "write";
                        case 'n' -> "nvlink";
                        case 'a' -> "atomics";
                        case 'p' -> "prop (pcie)";
                        default -> null;
                    };
            if (name != null) {
                names.add(name);
            } else if (Character.isLetterOrDigit(letter)) {
                return null;
            } else if (letter != '/' && letter != ',' && letter != '|') {
                break;
            }
        }
        return names.isEmpty() ? null : String.join("+", names);
    }

    /** The fact kinds of a capability. */
    static List<String> kinds(String capability) {
        List<String> kinds = new ArrayList<>();
        for (String part : capability.split("\\+")) {
            kinds.add(part.startsWith("prop") ? "pcie" : part);
        }
        return kinds;
    }
}
