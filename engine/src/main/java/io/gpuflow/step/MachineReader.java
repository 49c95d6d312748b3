package io.gpuflow.step;

import io.gpuflow.advise.GpuSpeed;
import io.gpuflow.advise.Placement;
import io.gpuflow.advise.Scope;
import io.gpuflow.advise.TrainingMachine;
import io.gpuflow.advise.Wire;
import io.gpuflow.facts.CpuAffinity;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Host;
import io.gpuflow.facts.Observed;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads from facts what training depends on: the GPUs, their links and how fast they are. */
public final class MachineReader {
    /** More threads than this help no training process. */
    private static final int MOST_THREADS = 16;

    private final KnownFacts facts;
    private final List<String> unknown = new ArrayList<>();

    private MachineReader(List<Observed> observed) {
        this.facts = KnownFacts.of(observed);
    }

    /**
     * The machine as a job sees it.
     *
     * @param nodes how many machines like this there are
     * @param perNode GPUs to use of each; null for all
     * @return null when it is not known which GPUs there are, or there are fewer
     */
    public static TrainingMachine of(List<Observed> observed, int nodes, Integer perNode) {
        return new MachineReader(observed).read(nodes, perNode);
    }

    private TrainingMachine read(int nodes, Integer perNode) {
        List<Integer> all = VisibleGpus.of(facts);
        if (all == null || all.isEmpty() || (perNode != null && perNode > all.size())) {
            return null;
        }
        List<Integer> used = perNode == null ? all : chosen(all, perNode);
        String model = model(used);
        GpuSpeed speed = GpuSpeed.of(model);
        if (speed == null) {
            unknown.add(
                    "how fast "
                            + (model == null ? "these GPUs compute" : "a " + model + " computes")
                            + " is not known: no time is predicted");
        }
        boolean[][] joined = joined(used);
        return new TrainingMachine(
                nodes,
                used,
                model,
                memory(used),
                joined,
                near(used),
                threads(used),
                wires(used, joined, nodes),
                speed,
                List.copyOf(unknown));
    }

    /** Of more GPUs than are wanted: some that are all joined, else the first. */
    private List<Integer> chosen(List<Integer> all, int wanted) {
        boolean[][] joined = joined(all);
        if (joined != null && wanted > 1 && wanted < all.size()) {
            List<List<Integer>> groups = io.gpuflow.advise.TensorGroups.of(joined, wanted);
            if (!groups.isEmpty()) {
                return groups.get(0).stream().map(all::get).toList();
            }
        }
        return all.subList(0, wanted);
    }

    private boolean[][] joined(List<Integer> used) {
        if (used.size() == 1) {
            return new boolean[1][1];
        }
        try {
            return LinkGroups.direct(facts, used);
        } catch (Parallelism.NotKnown e) {
            if (!unknown.contains(e.getMessage())) {
                unknown.add(e.getMessage());
            }
            return null;
        }
    }

    private String model(List<Integer> used) {
        List<String> models =
                gpus(used).stream().map(Gpu::model).filter(Objects::nonNull).distinct().toList();
        return models.size() == 1 ? models.get(0) : null;
    }

    private List<Gpu> gpus(List<Integer> used) {
        return facts.all(Gpu.class).stream().filter(g -> used.contains(g.index())).toList();
    }

    private Long memory(List<Integer> used) {
        List<Gpu> gpus = gpus(used);
        boolean known =
                !gpus.isEmpty() && gpus.stream().map(Gpu::memoryBytes).allMatch(Objects::nonNull);
        return known ? gpus.stream().map(Gpu::memoryBytes).min(Long::compare).get() : null;
    }

    private List<Placement.Near> near(List<Integer> used) {
        List<Placement.Near> near = new ArrayList<>();
        for (int gpu : used) {
            CpuAffinity found = affinity(gpu);
            if (found == null) {
                return List.of();
            }
            near.add(new Placement.Near(found.numaNodes(), found.cpus()));
        }
        return near;
    }

    private CpuAffinity affinity(int gpu) {
        return facts.all(CpuAffinity.class).stream()
                .filter(a -> a.gpu() == gpu && a.cpus() != null)
                .findFirst()
                .orElse(null);
    }

    /** Cores of the machine over the ranks on it. */
    private Integer threads(List<Integer> used) {
        Host host = facts.last(Host.class);
        if (host == null || host.cpus() == null) {
            return null;
        }
        int each = host.threadsPerCore() == null ? 1 : host.threadsPerCore();
        return Math.max(1, Math.min(MOST_THREADS, host.cpus() / each / used.size()));
    }

    private Map<Scope, Wire> wires(List<Integer> used, boolean[][] joined, int nodes) {
        Map<Scope, Wire> wires = new EnumMap<>(Scope.class);
        WireReader reader = new WireReader(facts, used, unknown);
        if (used.size() > 1 && joined != null) {
            List<List<Integer>> groups = io.gpuflow.advise.TensorGroups.of(joined);
            List<Integer> inside =
                    groups.isEmpty() ? List.of() : groups.get(0).stream().map(used::get).toList();
            put(wires, Scope.FAST, inside.size() > 1 ? reader.fast(inside) : null);
            put(wires, Scope.MACHINE, inside.size() < used.size() ? reader.machine() : null);
        }
        if (nodes > 1) {
            put(wires, Scope.NETWORK, reader.network());
        }
        return wires;
    }

    private static void put(Map<Scope, Wire> wires, Scope scope, Wire wire) {
        if (wire != null) {
            wires.put(scope, wire);
        }
    }
}
