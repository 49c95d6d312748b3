package io.gpuflow.step;

import java.util.List;

/** What NVLink or Infinity Fabric allows a collective, explained step by step. */
final class FabricBound {
    private final Fabric fabric;
    private final String op;
    private final int n;
    private final List<String> because;

    /**
     * @param because gets a line for each step
     */
    FabricBound(Fabric fabric, String op, List<String> because) {
        this.fabric = fabric;
        this.op = op;
        this.n = fabric.perGpu().length;
        this.because = because;
    }

    /** GB/s of bus bandwidth that no algorithm passes, but for reduction in the switch. */
    double of(KnownFacts facts, List<Integer> gpus) throws Fabric.NotKnown {
        return switch (op) {
            case "alltoall" -> direct(facts, gpus, true);
            case "gather", "scatter" -> direct(facts, gpus, false);
            case "sendrecv" -> neighbours(facts, gpus);
            default -> {
                double cut = fabric.minimumCut();
                because.add(
                        op
                                + " over "
                                + n
                                + " ranks: rings pass between any two halves of the GPUs, so the "
                                + (fabric.switched() ? "weakest GPU" : "narrowest cut")
                                + ", "
                                + LinkRate.gb(cut)
                                + ", bounds algorithm bandwidth × "
                                + BusFactor.formula(op)
                                + " = bus bandwidth");
                yield cut;
            }
        };
    }

    /** Every pair exchanges its part directly; with a root, only the root's pairs. */
    private double direct(KnownFacts facts, List<Integer> gpus, boolean everyPair)
            throws Fabric.NotKnown {
        double bound = Double.MAX_VALUE;
        int unlinked = 0;
        for (int i = 0; i < (everyPair ? n : 1); i++) {
            double weakest = Double.MAX_VALUE;
            int without = 0;
            for (int j = 0; j < n; j++) {
                if (i != j && fabric.pairs()[i][j] == 0) {
                    without++;
                } else if (i != j) {
                    weakest = Math.min(weakest, fabric.pairs()[i][j]);
                }
            }
            unlinked = Math.max(unlinked, without);
            bound = Math.min(bound, fabric.switched() ? fabric.perGpu()[i] : weakest * (n - 1));
        }
        if (unlinked == 0) {
            because.add(
                    op
                            + ": each part goes straight to its GPU, "
                            + (fabric.switched()
                                    ? "over all links of the sender"
                                    : "so the weakest pair counts for each of n−1 peers")
                            + ": "
                            + LinkRate.gb(bound));
            return bound;
        }
        double pcie = slowestPcie(facts, gpus, because);
        double shared = Math.min(bound, pcie * (n - 1) / unlinked);
        because.add(
                op
                        + ": parts for "
                        + unlinked
                        + " of "
                        + (n - 1)
                        + " peers have no "
                        + fabric.name()
                        + " of their own and cross PCIe: "
                        + LinkRate.gb(shared));
        return shared;
    }

    private double neighbours(KnownFacts facts, List<Integer> gpus) throws Fabric.NotKnown {
        double bound = Double.MAX_VALUE;
        for (int i = 0; i < n; i++) {
            int next = (i + 1) % n;
            double pair = fabric.pairs()[i][next];
            bound = Math.min(bound, fabric.switched() && pair > 0 ? fabric.perGpu()[i] : pair);
        }
        if (bound == 0) {
            because.add("sendrecv: some neighbours have no " + fabric.name() + " of their own");
            return slowestPcie(facts, gpus, because);
        }
        because.add(
                "sendrecv: each rank sends to the next over their own links: "
                        + LinkRate.gb(bound));
        return bound;
    }

    /** The slowest PCIe link of the GPUs. */
    static double slowestPcie(KnownFacts facts, List<Integer> gpus, List<String> because)
            throws Fabric.NotKnown {
        LinkRate slowest = null;
        for (int gpu : gpus) {
            LinkRate rate = LinkRate.pcie(facts, gpu);
            if (rate.gbps() == null) {
                throw new Fabric.NotKnown(rate.because());
            }
            if (slowest == null || rate.gbps() < slowest.gbps()) {
                slowest = rate;
            }
        }
        because.add(slowest.because());
        return slowest.gbps();
    }
}
