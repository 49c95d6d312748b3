package io.gpuflow.step;

import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.GpuPair;
import io.gpuflow.facts.LinkClass;
import io.gpuflow.facts.NvLinkState;
import io.gpuflow.facts.Topology;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * NVLink or Infinity Fabric among the GPUs of a job, as capacities per direction in GB/s.
 *
 * @param name NVLink or Infinity Fabric; null when no two of the GPUs are joined by either
 * @param switched every link of a GPU reaches every other GPU, through NVSwitch
 * @param pairs capacity from one GPU to another, 0 where no link joins them directly
 * @param perGpu capacity of all links of a GPU together
 * @param because how the capacities were told
 */
record Fabric(
        String name, boolean switched, double[][] pairs, double[] perGpu, List<String> because) {

    /** The links can't be told. */
    static final class NotKnown extends Exception {
        private static final long serialVersionUID = 1L;

        NotKnown(String why) {
            super(why);
        }
    }

    /** Reads the links among these GPUs. */
    static Fabric of(KnownFacts facts, List<Integer> gpus) throws NotKnown {
        Topology topology = facts.last(Topology.class);
        if (topology == null || topology.linkClass() == LinkClass.UNKNOWN) {
            String why = facts.whyUnknown(Topology.class);
            throw new NotKnown(
                    "how the GPUs are linked is not known" + (why == null ? "" : ": " + why));
        }
        int n = gpus.size();
        double[][] pairs = new double[n][n];
        Set<String> because = new LinkedHashSet<>();
        String name = null;
        int known = 0;
        for (GpuPair pair : facts.all(GpuPair.class)) {
            int a = gpus.indexOf(pair.a());
            int b = gpus.indexOf(pair.b());
            if (a < 0 || b < 0) {
                continue;
            }
            known++;
            LinkRate rate = rate(facts, pair);
            if (rate == null) {
                continue;
            }
            if (rate.gbps() == null) {
                throw new NotKnown(rate.because());
            }
            name = isNvlink(pair) ? "NVLink" : "Infinity Fabric";
            int links = isNvlink(pair) ? pair.nvlinks() : 1;
            pairs[a][b] = pairs[b][a] = links * rate.gbps();
            because.add(rate.because());
        }
        if (known < n * (n - 1) / 2) {
            throw new NotKnown("the links of some pairs of GPUs are not known");
        }
        boolean switched =
                topology.linkClass() == LinkClass.NVSWITCH_ALL_TO_ALL && !anyIsCard(facts, gpus);
        double[] perGpu = perGpu(facts, gpus, pairs, switched, because);
        return new Fabric(name, switched && name != null, pairs, perGpu, List.copyOf(because));
    }

    /**
     * PCIe and NVL cards are joined by bridges, never by NVSwitch; the matrix of a bridged pair
     * looks the same.
     */
    private static boolean anyIsCard(KnownFacts facts, List<Integer> gpus) {
        return facts.all(Gpu.class).stream()
                .filter(g -> gpus.contains(g.index()) && g.model() != null)
                .map(g -> " " + g.model().toUpperCase(Locale.ROOT).replace('-', ' ') + " ")
                .anyMatch(model -> model.contains(" PCIE ") || model.contains(" NVL "));
    }

    private static double[] perGpu(
            KnownFacts facts,
            List<Integer> gpus,
            double[][] pairs,
            boolean switched,
            Set<String> because) {
        int n = gpus.size();
        double[] perGpu = new double[n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                perGpu[i] = switched ? Math.max(perGpu[i], pairs[i][j]) : perGpu[i] + pairs[i][j];
            }
            Double up = switched ? linksUp(facts, gpus.get(i)) : null;
            if (up != null && perGpu[i] > 0 && up < perGpu[i]) {
                because.add(
                        "GPU " + gpus.get(i) + " has fewer links up than its row of topo -m says");
                perGpu[i] = up;
            }
        }
        return perGpu;
    }

    private static Double linksUp(KnownFacts facts, int gpu) {
        LinkRate rate = LinkRate.nvlink(facts, gpu);
        return facts.all(NvLinkState.class).stream()
                .filter(s -> s.gpu() == gpu && s.linksUp() != null && rate.gbps() != null)
                .map(s -> s.linksUp() * rate.gbps())
                .reduce((a, b) -> b)
                .orElse(null);
    }

    private static boolean isNvlink(GpuPair pair) {
        return pair.nvlinks() != null && pair.nvlinks() > 0;
    }

    /** Rate of one link of the pair; null when the pair is joined by neither fabric. */
    private static LinkRate rate(KnownFacts facts, GpuPair pair) {
        if (isNvlink(pair)) {
            return LinkRate.nvlink(facts, pair.a());
        }
        boolean xgmi =
                pair.link() != null && pair.link().toUpperCase(Locale.ROOT).startsWith("XGMI");
        if (!xgmi || (pair.hops() != null && pair.hops() > 1)) {
            return null; // PCIe, or Infinity Fabric through other GPUs: no link of their own
        }
        if (pair.gbps() != null && pair.gbps() > 0) {
            return new LinkRate(
                    pair.gbps(),
                    "Infinity Fabric between two GPUs carries "
                            + LinkRate.gb(pair.gbps())
                            + " per direction (amd-smi)");
        }
        String model =
                facts.all(Gpu.class).stream()
                        .filter(g -> g.index() == pair.a())
                        .map(Gpu::model)
                        .reduce((x, y) -> y)
                        .orElse(null);
        return LinkRate.xgmi(model);
    }

    /** True when the fabric alone connects all the GPUs, so that a ring need not leave it. */
    boolean connected() {
        int n = perGpu.length;
        List<Integer> open = new ArrayList<>(List.of(0));
        Set<Integer> seen = new LinkedHashSet<>(open);
        while (!open.isEmpty()) {
            int i = open.remove(open.size() - 1);
            for (int j = 0; j < n; j++) {
                if (pairs[i][j] > 0 && seen.add(j)) {
                    open.add(j);
                }
            }
        }
        return name != null && seen.size() == n;
    }

    /**
     * The least that crosses between any two halves of the GPUs: no set of rings carries more.
     * Through a switch it is the weakest GPU. Stoer and Wagner's minimum cut.
     */
    double minimumCut() {
        if (switched) {
            double least = Double.MAX_VALUE;
            for (double gpu : perGpu) {
                least = Math.min(least, gpu);
            }
            return least;
        }
        return MinimumCut.of(pairs);
    }

    /** What each GPU has, in one line. */
    String words() {
        double least = Double.MAX_VALUE;
        double most = 0;
        for (double gpu : perGpu) {
            least = Math.min(least, gpu);
            most = Math.max(most, gpu);
        }
        String each =
                least == most
                        ? LinkRate.gb(least)
                        : LinkRate.gb(least) + " to " + LinkRate.gb(most);
        return name
                + (switched
                        ? ": each GPU reaches every other with all its links, through NVSwitch: "
                        : ": the links of one GPU to the others of this job add up to ")
                + each
                + " per direction";
    }
}
