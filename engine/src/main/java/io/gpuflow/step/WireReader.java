package io.gpuflow.step;

import io.gpuflow.advise.Wire;
import io.gpuflow.facts.BaselineBench;
import io.gpuflow.facts.Bench;
import io.gpuflow.facts.BenchRow;
import io.gpuflow.facts.BusCeiling;
import io.gpuflow.facts.EnvVar;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Nic;
import io.gpuflow.facts.Unknown;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How fast collectives are among some GPUs: what was measured on this machine, else what healthy
 * machines with such links reach.
 */
final class WireReader {
    private static final List<String> OPS =
            List.of("all_reduce", "all_gather", "reduce_scatter", "alltoall", "sendrecv");

    /**
     * Seconds that the smallest call takes: nccl-tests on two H200, 8 bytes, over NVLink and
     * through host memory; over the network, 64 KiB at 0.04 GB/s among 32 ranks is far worse
     * (stas00/ml-engineering, network), so this is a best case.
     */
    private static final double FAST_LATENCY = 15e-6;

    private static final double HOST_LATENCY = 25e-6;
    private static final double NETWORK_LATENCY = 60e-6;

    /** What is reached of an adapter's rate at best (stas00/ml-engineering, network/README.md). */
    private static final double OF_ADAPTER = 0.8;

    private final KnownFacts facts;
    private final List<Integer> gpus;
    private final List<String> unknown;

    WireReader(KnownFacts facts, List<Integer> gpus, List<String> unknown) {
        this.facts = facts;
        this.gpus = gpus;
        this.unknown = unknown;
    }

    /** Inside a group of GPUs that NVLink or Infinity Fabric joins; null when it can't be told. */
    Wire fast(List<Integer> inside) {
        if (peersOff()) {
            return reached(inside, Ceilings.SHM, HOST_LATENCY);
        }
        Wire measured = inside.size() == gpus.size() ? measured(FAST_LATENCY) : null;
        return measured != null ? measured : reached(inside, null, FAST_LATENCY);
    }

    /** Among all GPUs, when some pairs go over PCIe; null when it can't be told. */
    Wire machine() {
        Wire measured = measured(HOST_LATENCY);
        return measured != null
                ? measured
                : reached(gpus, peersOff() ? Ceilings.SHM : null, HOST_LATENCY);
    }

    private boolean peersOff() {
        return facts.all(EnvVar.class).stream()
                .anyMatch(v -> v.name().equals("NCCL_P2P_DISABLE") && "1".equals(v.value()));
    }

    private Wire measured(double latency) {
        Wire rows = rows(latency);
        return rows != null ? rows : baseline(latency);
    }

    /** Every size of a benchmark of these GPUs, out of place. */
    private Wire rows(double latency) {
        Map<String, List<Wire.Point>> points = new HashMap<>();
        for (Bench bench : facts.all(Bench.class)) {
            if (bench.ranks() == gpus.size() && Boolean.TRUE.equals(bench.completed())) {
                TreeMap<Long, Wire.Point> bySize = new TreeMap<>();
                for (BenchRow row : facts.all(BenchRow.class)) {
                    boolean usable = row.timeUs() != null && row.timeUs() > 0 && row.bytes() > 0;
                    if (row.op().equals(bench.op()) && !row.inPlace() && usable) {
                        double seconds = row.timeUs() * 1e-6;
                        bySize.put(
                                row.bytes(), new Wire.Point(bench.ranks(), row.bytes(), seconds));
                    }
                }
                if (!bySize.isEmpty()) {
                    points.put(bench.op(), List.copyOf(bySize.values()));
                }
            }
        }
        return points.isEmpty()
                ? null
                : new Wire(Map.of(), latency, Map.copyOf(points), "measured on this machine");
    }

    private Wire baseline(double latency) {
        Map<String, Double> gbps = new HashMap<>();
        String saved = null;
        for (BaselineBench bench : facts.all(BaselineBench.class)) {
            if (bench.ranks() == gpus.size()) {
                gbps.merge(bench.op(), bench.largeBusbwGbps(), Math::max);
                saved = bench.saved();
            }
        }
        return gbps.isEmpty()
                ? null
                : new Wire(
                        Map.copyOf(gbps),
                        latency,
                        Map.of(),
                        "measured on this machine, baseline of " + saved);
    }

    /** What healthy machines with these links reach. */
    private Wire reached(List<Integer> among, String transport, double latency) {
        Map<String, Double> gbps = new HashMap<>();
        String source = null;
        for (String op : OPS) {
            List<Fact> found = Ceilings.of(facts, op, among, transport, null);
            BusCeiling ceiling = ceiling(found, transport);
            if (ceiling != null) {
                boolean expected = ceiling.expectedGbps() != null;
                gbps.put(op, expected ? ceiling.expectedGbps() : ceiling.gbps());
                source =
                        expected
                                ? "what healthy machines reach of what these links allow, not measured here"
                                : "what the links allow at most, not measured here";
            } else if (op.equals("all_reduce")) {
                found.stream()
                        .filter(Unknown.class::isInstance)
                        .map(f -> ((Unknown) f).why())
                        .filter(why -> !unknown.contains(why))
                        .forEach(unknown::add);
            }
        }
        return gbps.isEmpty() ? null : new Wire(Map.copyOf(gbps), latency, Map.of(), source);
    }

    private static BusCeiling ceiling(List<Fact> found, String transport) {
        List<BusCeiling> ceilings = new ArrayList<>();
        found.stream()
                .filter(BusCeiling.class::isInstance)
                .map(BusCeiling.class::cast)
                .filter(c -> !Ceilings.NVLS.equals(c.transport()))
                .filter(c -> transport == null || transport.equals(c.transport()))
                .forEach(ceilings::add);
        return ceilings.stream().max(Comparator.comparing(BusCeiling::gbps)).orElse(null);
    }

    /** Each GPU's share of the adapters that are up; null when none is known. */
    Wire network() {
        double bits =
                facts.all(Nic.class).stream()
                        .filter(n -> "rdma".equals(n.kind()) && "ACTIVE".equals(n.state()))
                        .filter(n -> n.rateGbps() != null)
                        .mapToDouble(Nic::rateGbps)
                        .sum();
        if (bits == 0) {
            unknown.add(
                    "how fast the network between the machines is is not known: no RDMA adapter with"
                            + " a known rate is up");
            return null;
        }
        double each = bits / 8 / gpus.size() * OF_ADAPTER;
        String source =
                "%.0f Gbit/s of RDMA adapters that are up, 80 %% of it, divided over %d GPUs"
                        .formatted(bits, gpus.size());
        return new Wire(Map.of("all_reduce", each), NETWORK_LATENCY, Map.of(), source);
    }
}
