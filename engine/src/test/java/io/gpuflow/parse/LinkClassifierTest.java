package io.gpuflow.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuflow.facts.LinkClass;
import io.gpuflow.facts.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

class LinkClassifierTest {
    /** The label between GPU a and GPU b, a and b different. */
    private interface Links extends BiFunction<Integer, Integer, String> {}

    private static Topology topology(int gpus, String model, Links links) {
        String[][] matrix = new String[gpus][gpus];
        List<Integer> indexes = new ArrayList<>();
        for (int a = 0; a < gpus; a++) {
            indexes.add(a);
            for (int b = 0; b < gpus; b++) {
                matrix[a][b] = a == b ? "X" : links.apply(a, b);
            }
        }
        return LinkClassifier.classify(indexes, matrix, model);
    }

    private static LinkClass of(int gpus, String model, Links links) {
        return topology(gpus, model, links).linkClass();
    }

    private static LinkClass all(int gpus, String label) {
        return of(gpus, null, (a, b) -> label);
    }

    @Test
    void oneGpuHasNoLinks() {
        assertEquals(LinkClass.SINGLE, all(1, null));
        assertEquals(LinkClass.UNKNOWN, all(0, null));
    }

    @Test
    void pathsOverPcieAreNoLinks() {
        for (String label : List.of("PIX", "PXB", "PHB", "NODE", "SYS", "PCIE")) {
            assertEquals(LinkClass.PCIE_ONLY, all(4, label));
        }
    }

    @Test
    void allLinksToEveryPeerNeedASwitch() {
        assertEquals(LinkClass.NVSWITCH_ALL_TO_ALL, all(8, "NV18"));
        assertEquals(LinkClass.NVSWITCH_ALL_TO_ALL, all(8, "NV12"));
        assertEquals(LinkClass.NVSWITCH_ALL_TO_ALL, all(3, "NV12"));
        assertEquals(LinkClass.NVSWITCH_ALL_TO_ALL, all(8, "NV8"), "A800, H800");
        assertEquals(LinkClass.NVSWITCH_ALL_TO_ALL, all(3, "NV8"), "a part of an A800 machine");
        assertEquals(LinkClass.NVSWITCH_ALL_TO_ALL, all(16, "NV6"), "DGX-2");
        assertEquals(LinkClass.NVSWITCH_ALL_TO_ALL, of(4, "Tesla V100-SXM3", (a, b) -> "NV6"));
    }

    @Test
    void linksSharedAmongThePeersAreAMesh() {
        assertEquals(LinkClass.NVLINK_FULL_MESH, all(4, "NV4"), "A100 board of four");
        assertEquals(LinkClass.NVLINK_FULL_MESH, all(4, "NV6"), "H200 NVL, GH200 quad");
        assertEquals(LinkClass.NVLINK_FULL_MESH, of(4, null, (a, b) -> a + b == 3 ? "NV2" : "NV1"));
    }

    @Test
    void aLinkLostBehindASwitchDoesNotHideIt() {
        assertEquals(
                LinkClass.NVSWITCH_ALL_TO_ALL, of(8, null, (a, b) -> a * b == 0 ? "NV17" : "NV18"));
    }

    @Test
    void twoGpusAreAPairUnlessOnlyASwitchCouldJoinThem() {
        assertEquals(LinkClass.NVLINK_PAIRS, all(2, "NV4"));
        assertEquals(LinkClass.NVLINK_PAIRS, all(2, "NV12"));
        assertEquals(LinkClass.NVSWITCH_ALL_TO_ALL, all(2, "NV18"));
        assertEquals(LinkClass.NVLINK_PAIRS, of(2, "NVIDIA H200 NVL", (a, b) -> "NV18"));
        assertEquals(LinkClass.NVLINK_PAIRS, of(2, "NVIDIA A100 80GB PCIe", (a, b) -> "NV12"));
        assertEquals(
                LinkClass.NVSWITCH_ALL_TO_ALL, of(2, "NVIDIA A100-SXM4-80GB", (a, b) -> "NV12"));
    }

    @Test
    void bridgedPairsAndOtherGraphs() {
        Topology pairs = topology(4, null, (a, b) -> a / 2 == b / 2 ? "NV12" : "SYS");
        assertEquals(LinkClass.NVLINK_PAIRS, pairs.linkClass());
        assertEquals(List.of(List.of(0, 1), List.of(2, 3)), pairs.groups());
        Topology crossed = topology(4, null, (a, b) -> a + b == 3 ? "NV4" : "PHB");
        assertEquals(List.of(List.of(0, 3), List.of(1, 2)), crossed.groups());
        Topology islands = topology(8, null, (a, b) -> a / 4 == b / 4 ? "NV4" : "SYS");
        assertEquals(LinkClass.NVLINK_PARTIAL, islands.linkClass());
        assertEquals(2, islands.groups().size());
        Topology dead = topology(8, null, (a, b) -> a == 2 || b == 2 ? "SYS" : "NV18");
        assertEquals(LinkClass.NVLINK_PARTIAL, dead.linkClass());
    }

    @Test
    void infinityFabric() {
        assertEquals(LinkClass.XGMI_ALL_TO_ALL, all(8, "XGMI"));
        assertEquals(LinkClass.XGMI_ALL_TO_ALL, all(2, "XGMI"));
        assertEquals(
                LinkClass.XGMI_PARTIAL, of(8, null, (a, b) -> a / 4 == b / 4 ? "XGMI" : "PCIE"));
        assertEquals(
                LinkClass.XGMI_PARTIAL,
                of(4, null, (a, b) -> a + b == 3 ? LinkClassifier.INDIRECT : "XGMI"));
    }

    @Test
    void whatIsMissingOrContradictsItselfIsNotGuessed() {
        assertEquals(LinkClass.UNKNOWN, of(8, null, (a, b) -> a == 7 ? null : "NV18"));
        assertEquals(LinkClass.UNKNOWN, of(2, null, (a, b) -> a == 0 ? "NV4" : "SYS"));
        assertEquals(LinkClass.UNKNOWN, all(4, "???"));
        assertEquals(List.of(), topology(8, null, (a, b) -> a == 7 ? null : "NV18").groups());
    }
}
