package io.gpuflow.rules;

import java.util.ArrayList;
import java.util.List;

/** Compares version numbers in rules: 2.9.6 is older than 2.10. */
public final class Versions {
    private Versions() {}

    /**
     * Whether a version is older than another by the numbers that both have. False when one of them
     * is null or bears no number, so that a rule concludes nothing from it.
     */
    public static boolean older(String version, String than) {
        List<Long> a = numbers(version);
        List<Long> b = numbers(than);
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            if (!a.get(i).equals(b.get(i))) {
                return a.get(i) < b.get(i);
            }
        }
        return false;
    }

    /** The first number of a version, or −1. */
    public static long major(String version) {
        List<Long> numbers = numbers(version);
        return numbers.isEmpty() ? -1 : numbers.get(0);
    }

    /** The leading numbers: "2.27.7+cuda13" has 2, 27 and 7. */
    private static List<Long> numbers(String version) {
        List<Long> numbers = new ArrayList<>();
        if (version == null) {
            return numbers;
        }
        for (String part : version.strip().split("\\.")) {
            String digits = part.replaceAll("\\D.*", "");
            if (digits.isEmpty() || digits.length() > 15) {
                break;
            }
            numbers.add(Long.parseLong(digits));
            if (digits.length() < part.length()) {
                break;
            }
        }
        return numbers;
    }
}
