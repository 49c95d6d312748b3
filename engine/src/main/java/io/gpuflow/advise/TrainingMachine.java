package io.gpuflow.advise;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The machine, or several alike, as far as training depends on it.
 *
 * @param nodes machines
 * @param gpus physical indexes that a job may use on each, ascending
 * @param gpu name of the GPUs; null when not known or when they differ
 * @param gpuBytes memory of the smallest; null when not known
 * @param joined which of {@code gpus}, by position, are joined directly; null when not known
 * @param near CPUs and memory near each, in the order of {@code gpus}; empty when not known
 * @param threads CPU threads for each rank; null when not known
 * @param wires what carries collectives; a scope that is missing is not known
 * @param speed null for a GPU whose speed is not known
 * @param unknown what could not be told and why, a text each
 */
public record TrainingMachine(
        int nodes,
        List<Integer> gpus,
        String gpu,
        Long gpuBytes,
        boolean[][] joined,
        List<Placement.Near> near,
        Integer threads,
        Map<Scope, Wire> wires,
        GpuSpeed speed,
        List<String> unknown) {

    /** GPUs of which nothing is known but how many there are. */
    public static TrainingMachine unasked(int nodes, int perNode, Long gpuBytes) {
        List<Integer> gpus = IntStream.range(0, perNode).boxed().toList();
        boolean[][] joined = perNode == 1 ? new boolean[1][1] : null;
        String why = "the machine was not asked: --gpus and --gpu-memory describe it";
        return new TrainingMachine(
                nodes, gpus, null, gpuBytes, joined, List.of(), null, Map.of(), null, List.of(why));
    }

    public int world() {
        return nodes * gpus.size();
    }

    /** Every two GPUs of the machine are joined directly; null when not known. */
    public Boolean allJoined() {
        return joined == null ? null : cliques(gpus.size()) != null;
    }

    /**
     * A division of all GPUs into groups of this size inside which every two are joined: positions
     * in {@code gpus}. Null when there is none, or the links are not known.
     */
    public List<List<Integer>> cliques(int size) {
        if (joined == null || gpus.size() % size != 0) {
            return null;
        }
        if (size == 1) {
            return gpus.stream().map(g -> List.of(gpus.indexOf(g))).toList();
        }
        List<List<Integer>> groups = TensorGroups.of(joined, size);
        return groups.size() * size == gpus.size() ? groups : null;
    }

    /** What joins the GPUs at these positions. */
    Scope scope(List<Integer> positions) {
        for (int a : positions) {
            for (int b : positions) {
                if (a != b && (joined == null || !joined[a][b])) {
                    return Scope.MACHINE;
                }
            }
        }
        return Scope.FAST;
    }

    /** The size of the largest set of GPUs that are all joined and divide the machine evenly. */
    public int domain() {
        for (int size = gpus.size(); size > 1; size--) {
            if (gpus.size() % size == 0 && cliques(size) != null) {
                return size;
            }
        }
        return 1;
    }

    List<Integer> physical(List<Integer> positions) {
        List<Integer> physical = new ArrayList<>();
        positions.forEach(p -> physical.add(gpus.get(p)));
        return physical;
    }
}
