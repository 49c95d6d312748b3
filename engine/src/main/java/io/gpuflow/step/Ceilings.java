package io.gpuflow.step;

import io.gpuflow.facts.BusCeiling;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.NcclComm;
import io.gpuflow.facts.P2pPair;
import io.gpuflow.facts.Unknown;
import java.util.ArrayList;
import java.util.List;

/**
 * The bus bandwidth that the probed links allow for one collective on one machine: the best path
 * the links offer, and the path that was used when it is another. Arithmetic on what was probed; a
 * machine needs no entry in a table, except for rates that its tools did not tell.
 */
final class Ceilings {
    static final String P2P = "P2P";
    static final String SHM = "SHM";
    static final String SOCKET = "NET/Socket";
    static final String NVLS = "NVLS";

    private final KnownFacts facts;
    private final String op;
    private final List<Integer> gpus;
    private final int n;
    private final Long bytes;

    private Ceilings(KnownFacts facts, String op, List<Integer> gpus, Long bytes) {
        this.facts = facts;
        this.op = op;
        this.gpus = gpus;
        this.n = gpus.size();
        this.bytes = bytes;
    }

    /**
     * BusCeiling facts, or Unknown with the reason.
     *
     * @param op collective, in nccl-tests' words
     * @param gpus physical GPUs of the ranks, two or more
     * @param used transport that the ranks used, as in Bench; null when the log did not tell
     * @param bytes the largest message that was measured: a small one can't reach what is expected;
     *     null when nothing is to be compared
     */
    static List<Fact> of(KnownFacts facts, String op, List<Integer> gpus, String used, Long bytes) {
        return new Ceilings(facts, op, gpus, bytes).all(used);
    }

    private List<Fact> all(String used) {
        List<Fact> found = new ArrayList<>();
        String best = null;
        try {
            Fabric fabric = Fabric.of(facts, gpus);
            if (fabric.connected()) {
                best = P2P;
                found.add(overFabric(fabric));
                if (usesNvls(fabric)) {
                    found.add(nvls(fabric));
                }
            } else {
                best = used != null && used.equals(P2P) ? P2P : bestOfPcie();
                found.add(overPcie(best));
            }
        } catch (Fabric.NotKnown e) {
            found.add(new Unknown("BusCeiling", e.getMessage()));
        }
        if (used != null && !used.equals(best) && (used.equals(SHM) || used.equals(SOCKET))) {
            try {
                found.add(overPcie(used));
            } catch (Fabric.NotKnown e) {
                found.add(new Unknown("BusCeiling", e.getMessage()));
            }
        }
        return found;
    }

    private BusCeiling overFabric(Fabric fabric) throws Fabric.NotKnown {
        List<String> because = new ArrayList<>(fabric.because());
        because.add(fabric.words());
        double bound = new FabricBound(fabric, op, because).of(facts, gpus);
        Reached reached =
                fabric.switched()
                        ? op.equals("all_reduce") ? Reached.NVSWITCH : Reached.NVSWITCH_OTHER
                        : fabric.name().equals("NVLink") ? Reached.NVLINK : Reached.XGMI;
        return ceiling(bound, reached, P2P, because);
    }

    private boolean usesNvls(Fabric fabric) {
        NcclComm comm = facts.last(NcclComm.class);
        return op.equals("all_reduce")
                && fabric.switched()
                && comm != null
                && Boolean.TRUE.equals(comm.nvls());
    }

    private BusCeiling nvls(Fabric fabric) {
        List<String> because = new ArrayList<>(fabric.because());
        double each = fabric.minimumCut();
        because.add(fabric.words());
        because.add(
                "NVLS: the switch adds up, so each GPU sends and receives the message once, and bus "
                        + "bandwidth counts it "
                        + BusFactor.formula(op)
                        + " times (it is defined for rings)");
        return ceiling(each * BusFactor.of(op, n), Reached.NVLS, NVLS, because);
    }

    /** P2P or SHM by what the driver grants; null when that is not known. */
    private String bestOfPcie() {
        Boolean all = null;
        for (P2pPair pair : facts.all(P2pPair.class)) {
            if (pair.kind().equals("read") && gpus.contains(pair.a()) && gpus.contains(pair.b())) {
                all = (all == null || all) && pair.status().equals("OK");
            }
        }
        return all == null ? null : all ? P2P : SHM;
    }

    private BusCeiling overPcie(String transport) throws Fabric.NotKnown {
        List<String> because = new ArrayList<>();
        double bound = FabricBound.slowestPcie(facts, gpus, because);
        if (transport == null) {
            because.add("whether the driver grants peer access over PCIe is not known");
            return new BusCeiling(
                    op, n, round(bound), null, null, List.copyOf(because), null, null);
        }
        Reached reached =
                switch (transport) {
                    case SHM -> Reached.SHM;
                    case SOCKET -> Reached.SOCKET;
                    default -> Reached.PCIE_P2P;
                };
        because.add(
                op
                        + " over "
                        + n
                        + " ranks: what a rank sends crosses its PCIe link once"
                        + (transport.equals(P2P) ? "" : ", into host memory,")
                        + " and what it receives crosses it once the other way; switches and socket links "
                        + "that several GPUs share are not counted");
        return ceiling(bound, reached, transport, because);
    }

    private BusCeiling ceiling(
            double bound, Reached reached, String transport, List<String> because) {
        Double expected = reached.of(bound);
        because.add("expected " + LinkRate.gb(expected) + ": " + reached.because());
        if (bytes != null && bytes < Reached.leastBytes(expected)) {
            because.add(
                    "not compared: the largest message measured, "
                            + MessageSizes.words(bytes)
                            + ", is too small to reach it");
            expected = null;
        }
        boolean path = transport.equals(P2P) || transport.equals(NVLS);
        BusReference reference = path ? reference(transport.equals(NVLS)) : null;
        if (reference != null) {
            because.add(reference.words());
        }
        return new BusCeiling(
                op,
                n,
                round(bound),
                expected,
                transport,
                List.copyOf(because),
                reference == null ? null : reference.busbw(),
                reference == null ? null : reference.on());
    }

    private BusReference reference(boolean nvls) {
        List<String> models =
                facts.all(Gpu.class).stream()
                        .filter(g -> gpus.contains(g.index()) && g.model() != null)
                        .map(Gpu::model)
                        .distinct()
                        .toList();
        return models.size() == 1 ? BusReference.of(models.get(0), op, n, nvls) : null;
    }

    private static double round(double gbps) {
        return Math.round(gbps * 10) / 10.0;
    }
}
