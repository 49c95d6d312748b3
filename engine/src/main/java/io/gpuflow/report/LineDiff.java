package io.gpuflow.report;

import java.util.ArrayList;
import java.util.List;

/** What differs between two texts, line by line. */
public final class LineDiff {
    private static final int CONTEXT = 2;

    private LineDiff() {}

    /** Changed lines with - and +, and two lines around them; empty when nothing differs. */
    public static List<String> lines(String before, String after) {
        List<String> a = before.lines().toList();
        List<String> b = after.lines().toList();
        List<String> all = new ArrayList<>();
        int[][] common = common(a, b);
        int i = 0;
        int j = 0;
        while (i < a.size() || j < b.size()) {
            if (i < a.size() && j < b.size() && a.get(i).equals(b.get(j))) {
                all.add("  " + a.get(i++));
                j++;
            } else if (i < a.size() && (j >= b.size() || common[i + 1][j] >= common[i][j + 1])) {
                all.add("- " + a.get(i++));
            } else {
                all.add("+ " + b.get(j++));
            }
        }
        return near(all);
    }

    /** Lengths of the longest common rest of both texts. */
    private static int[][] common(List<String> a, List<String> b) {
        int[][] common = new int[a.size() + 1][b.size() + 1];
        for (int i = a.size() - 1; i >= 0; i--) {
            for (int j = b.size() - 1; j >= 0; j--) {
                common[i][j] =
                        a.get(i).equals(b.get(j))
                                ? common[i + 1][j + 1] + 1
                                : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        return common;
    }

    private static List<String> near(List<String> all) {
        List<String> near = new ArrayList<>();
        boolean cut = false;
        for (int i = 0; i < all.size(); i++) {
            boolean shown = false;
            for (int k = Math.max(0, i - CONTEXT);
                    k <= Math.min(all.size() - 1, i + CONTEXT);
                    k++) {
                shown |= !all.get(k).startsWith("  ");
            }
            if (shown) {
                if (cut && !near.isEmpty()) {
                    near.add("  …");
                }
                near.add(SafeText.line(all.get(i)).isEmpty() ? "" : all.get(i).stripTrailing());
            }
            cut = !shown;
        }
        return near;
    }
}
