package io.gpuflow.step;

import io.gpuflow.advise.TensorGroups;
import io.gpuflow.facts.Container;
import io.gpuflow.facts.GpuPair;
import io.gpuflow.facts.LinkClass;
import io.gpuflow.facts.Topology;
import java.util.Arrays;
import java.util.List;

/** Which of the GPUs that a job may use are joined by NVLink or Infinity Fabric. */
final class LinkGroups {
    private LinkGroups() {}

    /** Groups of visible GPUs joined directly by a fast link; empty when none are. */
    static List<List<Integer>> of(KnownFacts facts, List<Integer> gpus)
            throws Parallelism.NotKnown {
        boolean[][] joined = direct(facts, gpus);
        boolean all = true;
        for (int a = 0; a < gpus.size(); a++) {
            for (int b = 0; b < a; b++) {
                all &= joined[a][b];
            }
        }
        if (all) {
            return List.of(gpus);
        }
        return TensorGroups.of(joined).stream()
                .map(group -> group.stream().map(gpus::get).toList())
                .toList();
    }

    /** Which of these GPUs, by position, are joined directly by a fast link. */
    static boolean[][] direct(KnownFacts facts, List<Integer> gpus) throws Parallelism.NotKnown {
        Topology topology = facts.last(Topology.class);
        if (topology == null || topology.linkClass() == LinkClass.UNKNOWN) {
            throw new Parallelism.NotKnown(why(facts, "how the GPUs are linked is not known"));
        }
        Container container = facts.last(Container.class);
        if (topology.linkClass() == LinkClass.PCIE_ONLY
                && container != null
                && Boolean.TRUE.equals(container.restricted())) {
            throw new Parallelism.NotKnown(
                    "this container hides devices, so that no NVLink is seen says nothing");
        }
        if (topology.linkClass().allToAll() && gpus.size() == topology.gpuCount()) {
            boolean[][] all = new boolean[gpus.size()][gpus.size()];
            for (boolean[] row : all) {
                Arrays.fill(row, true);
            }
            return all;
        }
        return joined(facts, topology, gpus);
    }

    private static boolean[][] joined(KnownFacts facts, Topology topology, List<Integer> gpus)
            throws Parallelism.NotKnown {
        int n = gpus.size();
        boolean[][] joined = new boolean[n][n];
        boolean[][] told = new boolean[n][n];
        for (GpuPair pair : facts.all(GpuPair.class)) {
            int a = gpus.indexOf(pair.a());
            int b = gpus.indexOf(pair.b());
            if (a >= 0 && b >= 0) {
                told[a][b] = told[b][a] = true;
                joined[a][b] = joined[b][a] = fast(pair);
            }
        }
        for (int a = 0; a < n; a++) {
            for (int b = 0; b < a; b++) {
                if (!told[a][b] && topology.linkClass().allToAll()) {
                    joined[a][b] = joined[b][a] = true;
                } else if (!told[a][b] && topology.linkClass() != LinkClass.PCIE_ONLY) {
                    throw new Parallelism.NotKnown(
                            "the link between GPU "
                                    + gpus.get(b)
                                    + " and GPU "
                                    + gpus.get(a)
                                    + " is not known");
                }
            }
        }
        return joined;
    }

    private static boolean fast(GpuPair pair) {
        boolean nvlink = pair.nvlinks() != null && pair.nvlinks() > 0;
        boolean xgmi = pair.link() != null && pair.link().startsWith("XGMI");
        return nvlink || (xgmi && (pair.hops() == null || pair.hops() <= 1));
    }

    /** What is not known, with the probe's reason where there is one. */
    static String why(KnownFacts facts, String what) {
        String why = facts.whyUnknown(Topology.class);
        return why == null ? what : what + ": " + why;
    }
}
