package io.gpuflow.step;

import java.util.ArrayList;
import java.util.List;

/** The global minimum cut of an undirected weighted graph, by Stoer and Wagner (1997). */
final class MinimumCut {
    private MinimumCut() {}

    /**
     * @param weights symmetric, n × n with n ≥ 2
     */
    static double of(double[][] weights) {
        int n = weights.length;
        double[][] w = new double[n][];
        List<Integer> nodes = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            w[i] = weights[i].clone();
            nodes.add(i);
        }
        double least = Double.MAX_VALUE;
        while (nodes.size() > 1) {
            least = Math.min(least, phase(w, nodes));
        }
        return least;
    }

    /** Cuts off the most loosely joined node and merges it into the one before it. */
    private static double phase(double[][] w, List<Integer> nodes) {
        double[] joined = new double[w.length];
        List<Integer> rest = new ArrayList<>(nodes);
        int last = -1;
        int before = -1;
        while (!rest.isEmpty()) {
            int tightest = rest.get(0);
            for (int node : rest) {
                if (joined[node] > joined[tightest]) {
                    tightest = node;
                }
            }
            rest.remove(Integer.valueOf(tightest));
            before = last;
            last = tightest;
            for (int node : rest) {
                joined[node] += w[tightest][node];
            }
        }
        for (int node : nodes) {
            w[before][node] += w[last][node];
            w[node][before] = w[before][node];
        }
        w[before][before] = 0;
        nodes.remove(Integer.valueOf(last));
        return joined[last];
    }
}
