package io.gpuflow.advise;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Puts ranks on GPUs: tensor-parallel groups on GPUs that are joined directly, and tells what joins
 * the groups of every dimension.
 */
public final class RankOrder {
    private final TrainingMachine machine;
    private final Layout layout;
    private final List<Integer> positions;

    private RankOrder(TrainingMachine machine, Layout layout) {
        this.machine = machine;
        this.layout = layout;
        this.positions = order();
    }

    public static RankOrder of(TrainingMachine machine, Layout layout) {
        return new RankOrder(machine, layout);
    }

    /** Positions of GPUs by local rank: neighbours are joined as far as the links allow. */
    private List<Integer> order() {
        int local = machine.gpus().size();
        List<Integer> plain = IntStream.range(0, local).boxed().toList();
        int inner = layout.tp() > 1 ? layout.tp() : machine.domain();
        List<List<Integer>> groups = inner > 1 && inner < local ? machine.cliques(inner) : null;
        if (groups == null) {
            return plain;
        }
        List<Integer> ordered = new ArrayList<>();
        groups.forEach(ordered::addAll);
        return ordered;
    }

    public Placement placement() {
        List<Placement.Near> near = new ArrayList<>();
        if (!machine.near().isEmpty()) {
            positions.forEach(p -> near.add(machine.near().get(p)));
        }
        boolean inOrder = positions.equals(IntStream.range(0, positions.size()).boxed().toList());
        List<Placement.Group> groups = new ArrayList<>();
        for (String dimension : List.of("tp", "cp", "dp", "pp")) {
            if (size(dimension) > 1 && !spansNodes(stride(dimension), size(dimension))) {
                List<List<Integer>> members =
                        groups(stride(dimension), size(dimension)).stream()
                                .map(machine::physical)
                                .toList();
                groups.add(new Placement.Group(dimension, members));
            }
        }
        return new Placement(
                machine.nodes(),
                machine.physical(positions),
                inOrder,
                List.copyOf(near),
                machine.threads(),
                List.copyOf(groups));
    }

    private int size(String dimension) {
        return switch (dimension) {
            case "tp" -> layout.tp();
            case "cp" -> layout.cp();
            case "dp" -> layout.dp();
            default -> layout.pp();
        };
    }

    private int stride(String dimension) {
        return switch (dimension) {
            case "tp" -> 1;
            case "cp" -> layout.tp();
            case "dp" -> layout.tp() * layout.cp();
            default -> layout.tp() * layout.cp() * layout.dp();
        };
    }

    Scope tensor() {
        return scope(1, layout.tp());
    }

    Scope context() {
        return scope(layout.tp(), layout.cp());
    }

    Scope pipeline() {
        return scope(stride("pp"), layout.pp());
    }

    /** Neighbouring data-parallel ranks: all of them, a shard group, an expert group. */
    Scope data(int ranks) {
        return scope(stride("dp"), ranks);
    }

    /** Copies of a shard, across the shard groups. */
    Scope replicas() {
        return scope(stride("dp") * layout.shard(), layout.dp() / layout.shard());
    }

    private boolean spansNodes(int stride, int size) {
        return stride * size > positions.size();
    }

    private Scope scope(int stride, int size) {
        if (spansNodes(stride, size)) {
            return Scope.NETWORK;
        }
        for (List<Integer> group : groups(stride, size)) {
            if (machine.scope(group) != Scope.FAST) {
                return Scope.MACHINE;
            }
        }
        return Scope.FAST;
    }

    /** Groups of one machine: ranks a stride apart. */
    private List<List<Integer>> groups(int stride, int size) {
        List<List<Integer>> groups = new ArrayList<>();
        for (int first = 0; first < positions.size(); first++) {
            boolean begins = first / stride % size == 0;
            if (begins) {
                List<Integer> group = new ArrayList<>();
                for (int i = 0; i < size; i++) {
                    int rank = first + i * stride;
                    if (rank < positions.size()) {
                        group.add(positions.get(rank));
                    }
                }
                groups.add(group);
            }
        }
        return groups;
    }
}
