package io.gpuflow.step;

import io.gpuflow.facts.LinkClass;
import io.gpuflow.facts.Mig;
import io.gpuflow.facts.ParallelPlan;
import io.gpuflow.facts.Topology;
import java.util.ArrayList;
import java.util.List;

/**
 * Which ways of training the links of a machine make cheap. Decided by the links among the GPUs
 * that a job may use; the size of the model only says which of the candidates fit.
 */
final class Parallelism {
    /** Nothing can be inferred. */
    static final class NotKnown extends Exception {
        private static final long serialVersionUID = 1L;

        NotKnown(String why) {
            super(why);
        }
    }

    private final List<Integer> gpus;
    private final List<List<Integer>> groups;
    private final boolean infinityFabric;
    private final MemoryNeed memory;
    private final List<ParallelPlan> plans = new ArrayList<>();

    private Parallelism(
            List<Integer> gpus,
            List<List<Integer>> groups,
            boolean infinityFabric,
            MemoryNeed memory) {
        this.gpus = gpus;
        this.groups = groups;
        this.infinityFabric = infinityFabric;
        this.memory = memory;
    }

    /**
     * The candidates, in the order in which they should be tried; one is chosen unless none fits.
     *
     * @param parameters of the model, or null when none was described
     */
    static List<ParallelPlan> plans(KnownFacts facts, Long parameters) throws NotKnown {
        List<Integer> gpus = VisibleGpus.of(facts);
        if (gpus == null) {
            throw new NotKnown(LinkGroups.why(facts, "which GPUs a job may use is not known"));
        }
        if (gpus.isEmpty()) {
            throw new NotKnown("there is no GPU that a job may use");
        }
        MemoryNeed memory = MemoryNeed.of(facts, gpus, parameters);
        if (gpus.size() == 1 || anyMig(facts, gpus)) {
            return alone(gpus, memory, anyMig(facts, gpus));
        }
        List<List<Integer>> groups = LinkGroups.of(facts, gpus);
        LinkClass linkClass = facts.last(Topology.class).linkClass();
        boolean amd = linkClass == LinkClass.XGMI_ALL_TO_ALL || linkClass == LinkClass.XGMI_PARTIAL;
        return new Parallelism(gpus, groups, amd, memory).all();
    }

    private static boolean anyMig(KnownFacts facts, List<Integer> gpus) {
        return facts.all(Mig.class).stream()
                .anyMatch(m -> gpus.contains(m.gpu()) && Boolean.TRUE.equals(m.enabled()));
    }

    private static List<ParallelPlan> alone(List<Integer> gpus, MemoryNeed memory, boolean mig) {
        Boolean fits = memory.fits(MemoryNeed.BYTES_PER_PARAMETER);
        List<String> because = new ArrayList<>();
        because.add(
                mig
                        ? "MIG is enabled: its instances have no peer access and NCCL does not join them, so each trains alone"
                        : "a single GPU: nothing to divide the work among");
        because.add(memory.words(MemoryNeed.BYTES_PER_PARAMETER));
        if (Boolean.FALSE.equals(fits)) {
            because.add("to fit: LoRA, 8-bit Adam or offloading the optimizer states to the host");
        }
        return List.of(
                new ParallelPlan(
                        "single",
                        1,
                        1,
                        1,
                        1,
                        List.of(),
                        fits,
                        !Boolean.FALSE.equals(fits),
                        List.copyOf(because)));
    }

    private List<ParallelPlan> all() {
        boolean everyPair = groups.size() == 1 && groups.get(0).size() == gpus.size();
        ddp(groups.isEmpty());
        if (everyPair) {
            fsdp("over links that join every two GPUs this hides behind compute");
            tensorEverywhere();
        } else if (groups.isEmpty()) {
            zero1();
            fsdp(
                    "over PCIe it is slow, and gradient accumulation does not reduce it: take long "
                            + "sequences and large micro-batches");
            pipeline();
        } else {
            tensorInGroups();
            fsdp("part of it crosses PCIe between the groups");
        }
        return choose();
    }

    private List<ParallelPlan> choose() {
        int first = 0;
        while (first < plans.size() && Boolean.FALSE.equals(plans.get(first).fits())) {
            first++;
        }
        List<ParallelPlan> marked = new ArrayList<>();
        for (int i = 0; i < plans.size(); i++) {
            ParallelPlan p = plans.get(i);
            marked.add(
                    new ParallelPlan(
                            p.strategy(),
                            p.gpus(),
                            p.tensorParallel(),
                            p.dataParallel(),
                            p.pipelineParallel(),
                            p.groups(),
                            p.fits(),
                            i == first,
                            p.because()));
        }
        return marked;
    }

    private void ddp(boolean overPcie) {
        add(
                "ddp",
                1,
                gpus.size(),
                1,
                List.of(),
                MemoryNeed.BYTES_PER_PARAMETER,
                overPcie
                        ? "no two GPUs are joined by a fast link, and DDP talks least: one all-reduce of the gradients a step; gradient accumulation (no_sync) makes it one in several"
                        : "the simplest, and the least traffic: one all-reduce of the gradients a step");
    }

    private void zero1() {
        add(
                "zero1",
                1,
                gpus.size(),
                1,
                List.of(),
                8 + 8.0 / gpus.size(),
                "the optimizer's states are divided, at the traffic of DDP; weights and gradients stay whole");
    }

    private void fsdp(String links) {
        add(
                "fsdp2",
                1,
                gpus.size(),
                1,
                List.of(),
                MemoryNeed.BYTES_PER_PARAMETER / gpus.size(),
                "weights, gradients and optimizer states are divided; 1.5 times the traffic of DDP, in every micro-step: "
                        + links);
    }

    private void pipeline() {
        add(
                "pp",
                1,
                1,
                gpus.size(),
                List.of(),
                MemoryNeed.BYTES_PER_PARAMETER / gpus.size(),
                "layers are divided into "
                        + gpus.size()
                        + " stages; only activations at their borders cross PCIe; needs at least "
                        + 4 * gpus.size()
                        + " micro-batches a step to keep the stages busy");
    }

    private void tensorEverywhere() {
        int n = gpus.size();
        add(
                "tp",
                n,
                1,
                1,
                groups,
                MemoryNeed.BYTES_PER_PARAMETER / n,
                (infinityFabric ? "Infinity Fabric" : "NVLink")
                        + " joins every two of the "
                        + n
                        + " GPUs, so tensor parallelism across all of them is cheap, if the attention heads divide by "
                        + n
                        + (infinityFabric
                                ? "; smaller groups use only their own links, " + sharesOfPeers(n)
                                : ""));
    }

    private static String sharesOfPeers(int n) {
        return n > 2 ? "a pair 1 of " + (n - 1) : "all there are";
    }

    private void tensorInGroups() {
        int t = groups.get(0).size();
        int used = groups.size() * t;
        String outside =
                used == gpus.size()
                        ? ""
                        : "; the other GPUs have no such link and are left out of it";
        add(
                groups.size() == 1 ? "tp" : "tp+dp",
                t,
                groups.size(),
                1,
                groups,
                MemoryNeed.BYTES_PER_PARAMETER / t,
                "tensor parallelism only inside the groups that "
                        + (infinityFabric ? "Infinity Fabric" : "NVLink")
                        + " joins, GPUs "
                        + words()
                        + (groups.size() > 1 ? ", data parallelism between them" : "")
                        + "; across groups it would run at PCIe speed"
                        + outside);
    }

    private String words() {
        List<String> all =
                groups.stream().map(g -> g.toString().replaceAll("[\\[\\]]", "")).toList();
        return String.join(" | ", all);
    }

    private void add(
            String strategy,
            int tensor,
            int data,
            int pipeline,
            List<List<Integer>> tensorGroups,
            double bytesPerParameter,
            String reason) {
        plans.add(
                new ParallelPlan(
                        strategy,
                        tensor * data * pipeline,
                        tensor,
                        data,
                        pipeline,
                        tensorGroups,
                        memory.fits(bytesPerParameter),
                        false,
                        List.of(reason, memory.words(bytesPerParameter))));
    }
}
