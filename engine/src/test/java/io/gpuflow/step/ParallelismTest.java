package io.gpuflow.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.advise.TensorGroups;
import io.gpuflow.facts.Container;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.GpuPair;
import io.gpuflow.facts.LinkClass;
import io.gpuflow.facts.Mig;
import io.gpuflow.facts.ParallelPlan;
import io.gpuflow.facts.Topology;
import io.gpuflow.facts.Unknown;
import io.gpuflow.facts.Visibility;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ParallelismTest {
    private static final long GIB = 1L << 30;
    private final List<Fact> facts = new ArrayList<>();

    private void machine(LinkClass linkClass, int n, List<List<Integer>> groups, String... rows) {
        facts.add(new Topology(linkClass, n, groups));
        for (int i = 0; i < n; i++) {
            facts.add(new Gpu(i, "nvidia", "NVIDIA X", null, null, 80 * GIB, "9.0", null));
        }
        for (int a = 0; a < rows.length; a++) {
            String[] cells = rows[a].trim().split("\\s+");
            for (int b = a + 1; b < n; b++) {
                boolean nvlink = cells[b].startsWith("NV");
                Integer links = nvlink ? Integer.valueOf(cells[b].substring(2)) : null;
                facts.add(new GpuPair(a, b, cells[b], links, null));
            }
        }
    }

    private List<ParallelPlan> plans(Long parameters) throws Parallelism.NotKnown {
        List<ParallelPlan> plans = Parallelism.plans(KnownFacts.ofFacts(facts), parameters);
        assertTrue(plans.stream().filter(ParallelPlan::chosen).count() <= 1);
        return plans;
    }

    private static List<String> strategies(List<ParallelPlan> plans) {
        return plans.stream().map(ParallelPlan::strategy).toList();
    }

    private static String chosen(List<ParallelPlan> plans) {
        return plans.stream()
                .filter(ParallelPlan::chosen)
                .map(ParallelPlan::strategy)
                .findFirst()
                .orElse("none");
    }

    private static ParallelPlan named(List<ParallelPlan> plans, String strategy) {
        return plans.stream().filter(p -> p.strategy().equals(strategy)).findFirst().orElseThrow();
    }

    @Test
    void pcieAloneMeansDataParallelAndNoTensorParallelism() throws Exception {
        machine(
                LinkClass.PCIE_ONLY,
                4,
                List.of(),
                "X PHB SYS SYS",
                "PHB X SYS SYS",
                "SYS SYS X PHB");
        List<ParallelPlan> plans = plans(null);
        assertEquals(List.of("ddp", "zero1", "fsdp2", "pp"), strategies(plans));
        assertEquals("ddp", chosen(plans));
        assertTrue(plans.get(0).because().get(0).contains("gradient accumulation"));
        assertTrue(plans.stream().allMatch(p -> p.tensorParallel() == 1));
    }

    @Test
    void pairsMeanTensorParallelismInsideThePair() throws Exception {
        machine(
                LinkClass.NVLINK_PAIRS,
                4,
                List.of(List.of(0, 2), List.of(1, 3)),
                "X SYS NV12 SYS",
                "SYS X SYS NV12",
                "NV12 SYS X SYS");
        ParallelPlan plan = named(plans(null), "tp+dp");
        assertEquals(2, plan.tensorParallel());
        assertEquals(2, plan.dataParallel());
        assertEquals(List.of(List.of(0, 2), List.of(1, 3)), plan.groups());
        assertTrue(plan.because().get(0).contains("GPUs 0, 2 | 1, 3"), plan.because().get(0));
        assertEquals("tp+dp", chosen(plans(5_000_000_000L)));
    }

    @Test
    void theCubeMeshOfEightMeansTwoGroupsOfFour() throws Exception {
        machine(
                LinkClass.NVLINK_PARTIAL,
                8,
                List.of(IntStream.range(0, 8).boxed().toList()),
                "X NV1 NV1 NV2 NV2 SYS SYS SYS",
                "NV1 X NV2 NV1 SYS NV2 SYS SYS",
                "NV1 NV2 X NV2 SYS SYS NV1 SYS",
                "NV2 NV1 NV2 X SYS SYS SYS NV1",
                "NV2 SYS SYS SYS X NV1 NV1 NV2",
                "SYS NV2 SYS SYS NV1 X NV2 NV1",
                "SYS SYS NV1 SYS NV1 NV2 X NV2");
        ParallelPlan plan = named(plans(null), "tp+dp");
        assertEquals(List.of(List.of(0, 1, 2, 3), List.of(4, 5, 6, 7)), plan.groups());
    }

    @Test
    void aGpuWithoutABridgeIsLeftOut() throws Exception {
        machine(LinkClass.NVLINK_PARTIAL, 3, List.of(List.of(0, 1)), "X NV4 NODE", "NV4 X NODE");
        ParallelPlan plan = named(plans(null), "tp");
        assertEquals(List.of(List.of(0, 1)), plan.groups());
        assertTrue(plan.because().get(0).contains("left out"));
    }

    @ParameterizedTest
    @EnumSource(
            value = LinkClass.class,
            names = {"NVSWITCH_ALL_TO_ALL", "NVLINK_FULL_MESH", "XGMI_ALL_TO_ALL"})
    void allToAllMeansTensorParallelismAcrossAll(LinkClass linkClass) throws Exception {
        machine(linkClass, 8, List.of(IntStream.range(0, 8).boxed().toList()));
        List<ParallelPlan> plans = plans(null);
        assertEquals(List.of("ddp", "fsdp2", "tp"), strategies(plans));
        assertEquals(8, named(plans, "tp").tensorParallel());
        boolean amd = linkClass == LinkClass.XGMI_ALL_TO_ALL;
        assertTrue(named(plans, "tp").because().get(0).startsWith(amd ? "Infinity" : "NVLink"));
    }

    @Test
    void xgmiIslandsMeanGroups() throws Exception {
        machine(LinkClass.XGMI_PARTIAL, 4, List.of(List.of(0, 1), List.of(2, 3)));
        for (int a = 0; a < 4; a++) {
            for (int b = a + 1; b < 4; b++) {
                boolean near = a / 2 == b / 2;
                facts.add(new GpuPair(a, b, near ? "XGMI" : "PCIE", null, near ? 1 : 2));
            }
        }
        assertEquals(List.of(List.of(0, 1), List.of(2, 3)), named(plans(null), "tp+dp").groups());
    }

    @Test
    void aSingleGpuHasNothingToDivide() throws Exception {
        machine(LinkClass.SINGLE, 1, List.of());
        assertEquals("single", chosen(plans(null)));
        assertEquals("none", chosen(plans(70_000_000_000L)));
    }

    @Test
    void nothingIsInferredFromLinksThatAreNotKnown() {
        machine(LinkClass.UNKNOWN, 4, List.of());
        assertThrows(Parallelism.NotKnown.class, () -> plans(null));
        facts.clear();
        facts.add(new Unknown("Topology", "nvidia-smi is not installed"));
        Parallelism.NotKnown e = assertThrows(Parallelism.NotKnown.class, () -> plans(null));
        assertTrue(e.getMessage().contains("nvidia-smi is not installed"), e.getMessage());
    }

    @Test
    void aContainerThatHidesDevicesAllowsNoInference() {
        machine(LinkClass.PCIE_ONLY, 2, List.of(), "X PHB");
        facts.add(new Container("docker", true, List.of()));
        assertThrows(Parallelism.NotKnown.class, () -> plans(null));
    }

    @Test
    void aPartialMatrixAllowsNoInference() {
        machine(LinkClass.NVLINK_PARTIAL, 4, List.of(List.of(0, 1)), "X NV4 SYS SYS");
        assertThrows(Parallelism.NotKnown.class, () -> plans(null));
    }

    @Test
    void onlyVisibleGpusCount() throws Exception {
        machine(
                LinkClass.NVLINK_PAIRS,
                4,
                List.of(List.of(0, 1), List.of(2, 3)),
                "X NV12 SYS SYS",
                "NV12 X SYS SYS",
                "SYS SYS X NV12");
        facts.add(new Visibility("CUDA_VISIBLE_DEVICES", "1,2", List.of(1, 2)));
        assertEquals(List.of("ddp", "zero1", "fsdp2", "pp"), strategies(plans(null)));
        facts.add(new Visibility("CUDA_VISIBLE_DEVICES", "3,2", List.of(3, 2)));
        assertThrows(Parallelism.NotKnown.class, () -> plans(null));
    }

    @Test
    void migInstancesTrainAlone() throws Exception {
        machine(LinkClass.NVSWITCH_ALL_TO_ALL, 2, List.of(List.of(0, 1)), "X NV18");
        facts.add(new Mig(0, true, 7, null));
        assertEquals(List.of("single"), strategies(plans(null)));
    }

    @Test
    void theModelDecidesWhichCandidateFits() throws Exception {
        machine(LinkClass.NVSWITCH_ALL_TO_ALL, 8, List.of(IntStream.range(0, 8).boxed().toList()));
        // 0.9 × 80 GiB − 4 GiB = 68 GiB: 4.56 billion parameters at 16 bytes, eight times that
        // sharded
        assertEquals("ddp", chosen(plans(4_500_000_000L)));
        assertEquals("fsdp2", chosen(plans(4_600_000_000L)));
        assertEquals("fsdp2", chosen(plans(36_000_000_000L)));
        assertEquals("none", chosen(plans(37_000_000_000L)));
    }

    @Test
    void memoryThatIsNotKnownDecidesNothing() throws Exception {
        facts.add(new Topology(LinkClass.PCIE_ONLY, 2, List.of()));
        List<ParallelPlan> plans = plans(7_000_000_000L);
        assertTrue(plans.stream().allMatch(p -> p.fits() == null));
        assertEquals("ddp", chosen(plans));
    }

    @Test
    void groupsAreDisjointCliquesOfOneSizeAndNoneIsMissedThatAPairWouldCover() {
        Random random = new Random(11);
        for (int round = 0; round < 300; round++) {
            int n = 2 + random.nextInt(7);
            boolean[][] joined = new boolean[n][n];
            boolean any = false;
            for (int a = 0; a < n; a++) {
                for (int b = 0; b < a; b++) {
                    joined[a][b] = joined[b][a] = random.nextBoolean();
                    any |= joined[a][b];
                }
            }
            List<List<Integer>> groups = TensorGroups.of(joined);
            assertEquals(any, !groups.isEmpty());
            List<Integer> all = groups.stream().flatMap(List::stream).toList();
            assertEquals(all.size(), all.stream().distinct().count());
            for (List<Integer> group : groups) {
                assertEquals(groups.get(0).size(), group.size());
                assertEquals(1, Integer.bitCount(group.size()));
                for (int a : group) {
                    group.forEach(b -> assertTrue(a == b || joined[a][b]));
                }
            }
            assertFalse(all.size() < 2 * pairs(joined, new boolean[n]));
        }
    }

    /** The most disjoint pairs, by trying all. */
    private static int pairs(boolean[][] joined, boolean[] used) {
        int best = 0;
        for (int a = 0; a < used.length; a++) {
            for (int b = 0; b < a; b++) {
                if (joined[a][b] && !used[a] && !used[b]) {
                    used[a] = used[b] = true;
                    best = Math.max(best, 1 + pairs(joined, used));
                    used[a] = used[b] = false;
                }
            }
        }
        return best;
    }
}
