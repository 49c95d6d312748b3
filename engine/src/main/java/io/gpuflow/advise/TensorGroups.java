package io.gpuflow.advise;

import java.util.ArrayList;
import java.util.List;

/**
 * Groups of GPUs inside which tensor parallelism stays on NVLink or Infinity Fabric: every two of a
 * group are joined directly. All groups have one size, a power of two, since a model's heads must
 * divide by it.
 */
public final class TensorGroups {
    /** Above this, only a machine whose GPUs are all joined is divided (as one group). */
    private static final int MOST = 32;

    private final boolean[][] joined;
    private final int size;
    private List<List<Integer>> best = List.of();

    private TensorGroups(boolean[][] joined, int size) {
        this.joined = joined;
        this.size = size;
    }

    /**
     * The division that uses most GPUs, in the largest groups; empty when no two are joined.
     *
     * @param joined symmetric: which GPUs are joined directly
     */
    public static List<List<Integer>> of(boolean[][] joined) {
        int n = joined.length;
        List<List<Integer>> best = List.of();
        for (int size = Integer.highestOneBit(Math.min(n, MOST)); size >= 2; size /= 2) {
            List<List<Integer>> found = of(joined, size);
            if (found.size() * size > covered(best)) {
                best = found;
            }
        }
        return best;
    }

    /** As many groups of this size as there can be, without regard to what is left over. */
    public static List<List<Integer>> of(boolean[][] joined, int size) {
        int n = joined.length;
        TensorGroups search = new TensorGroups(joined, size);
        if (n <= MOST) {
            search.extend(0, new boolean[n], new ArrayList<>());
        }
        return search.best;
    }

    private static int covered(List<List<Integer>> groups) {
        return groups.stream().mapToInt(List::size).sum();
    }

    /**
     * Puts GPU {@code from} into a group of later ones, or leaves it out; true when all are used.
     */
    private boolean extend(int from, boolean[] used, List<List<Integer>> groups) {
        int n = joined.length;
        if (groups.size() > best.size()) {
            best = List.copyOf(groups);
        }
        while (from < n && used[from]) {
            from++;
        }
        long free = 0;
        for (int i = from; i < n; i++) {
            free += used[i] ? 0 : 1;
        }
        if (best.size() == n / size) {
            return true;
        }
        if (groups.size() + free / size <= best.size()) {
            return false; // cannot become better
        }
        List<Integer> group = new ArrayList<>(List.of(from));
        return grow(from, group, used, groups) || extend(from + 1, used, groups);
    }

    private boolean grow(
            int first, List<Integer> group, boolean[] used, List<List<Integer>> groups) {
        if (group.size() == size) {
            group.forEach(gpu -> used[gpu] = true);
            groups.add(List.copyOf(group));
            boolean done = extend(first + 1, used, groups);
            groups.remove(groups.size() - 1);
            group.forEach(gpu -> used[gpu] = false);
            return done;
        }
        for (int next = group.get(group.size() - 1) + 1; next < joined.length; next++) {
            int candidate = next;
            if (!used[next] && group.stream().allMatch(gpu -> joined[gpu][candidate])) {
                group.add(next);
                boolean done = grow(first, group, used, groups);
                group.remove(group.size() - 1);
                if (done) {
                    return true;
                }
            }
        }
        return false;
    }
}
