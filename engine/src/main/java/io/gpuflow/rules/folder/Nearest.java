package io.gpuflow.rules.folder;

import java.util.Collection;

/** Finds the name that a misspelt one was meant to be. */
public final class Nearest {
    private Nearest() {}

    /** " (did you mean topology?)", or "; known are …" when nothing is near. */
    public static String hint(String wrong, Collection<String> known) {
        String best = null;
        int least = Math.max(2, wrong.length() / 3) + 1;
        for (String name : known) {
            int distance = distance(wrong, name);
            if (distance < least) {
                least = distance;
                best = name;
            }
        }
        if (best != null) {
            return " (did you mean " + best + "?)";
        }
        return known.size() <= 20 ? "; known are " + String.join(", ", known) : "";
    }

    /** Edits (insert, delete, replace) between two words. */
    public static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replace = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replace, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
