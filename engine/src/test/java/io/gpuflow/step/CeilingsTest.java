package io.gpuflow.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.BusCeiling;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.GpuPair;
import io.gpuflow.facts.LinkClass;
import io.gpuflow.facts.NcclComm;
import io.gpuflow.facts.NvLinkState;
import io.gpuflow.facts.P2pPair;
import io.gpuflow.facts.PcieLink;
import io.gpuflow.facts.Topology;
import io.gpuflow.facts.Unknown;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CeilingsTest {
    private final List<Fact> facts = new ArrayList<>();

    private static List<Integer> first(int n) {
        return IntStream.range(0, n).boxed().toList();
    }

    private void gpus(int n, String vendor, String model, String capability) {
        for (int i = 0; i < n; i++) {
            facts.add(new Gpu(i, vendor, model, null, null, null, capability, null));
        }
    }

    private void allPairs(int n, String link, Integer nvlinks) {
        for (int a = 0; a < n; a++) {
            for (int b = a + 1; b < n; b++) {
                facts.add(new GpuPair(a, b, link, nvlinks, null));
            }
        }
    }

    private void pcie(int n, int gen, int width) {
        for (int i = 0; i < n; i++) {
            facts.add(new PcieLink(i, 1, gen, width, 16));
        }
    }

    private List<Fact> ceilings(String op, int n, String used) {
        return Ceilings.of(KnownFacts.ofFacts(facts), op, first(n), used, null);
    }

    private BusCeiling only(String op, int n, String used) {
        List<Fact> found = ceilings(op, n, used);
        assertEquals(1, found.size(), () -> found.toString());
        return (BusCeiling) found.get(0);
    }

    private void h200(int n) {
        facts.add(new Topology(LinkClass.NVSWITCH_ALL_TO_ALL, n, List.of(first(n))));
        gpus(n, "nvidia", "NVIDIA H200", "9.0");
        allPairs(n, "NV18", 18);
        for (int i = 0; i < n; i++) {
            facts.add(new NvLinkState(i, 18, 0, 26.562));
        }
        pcie(n, 5, 16);
    }

    @Test
    void anH200PairMayReach450AndIsExpectedToReach342() {
        h200(2);
        BusCeiling ceiling = only("all_reduce", 2, "P2P");
        assertEquals(450, ceiling.gbps());
        assertEquals(342, ceiling.expectedGbps());
        assertEquals("P2P", ceiling.transport());
        String because = String.join("\n", ceiling.because());
        assertTrue(because.contains("25 GB/s of data per direction"), because);
        assertTrue(because.contains("16/17"), because);
        assertTrue(because.contains("26.56 GB/s"), because);
        assertTrue(because.contains("450 GB/s per direction"), because);
        assertTrue(because.contains("expected 342 GB/s"), because);
    }

    @Test
    void referencesHaveSourcesAndLieBelowTheCeilingOfTheirMachine() {
        assertEquals(339, BusReference.of("NVIDIA H200", "all_reduce", 2, false).busbw());
        assertNull(BusReference.of("NVIDIA GH200 480GB", "all_reduce", 2, false));
        assertNull(BusReference.of("NVIDIA H200", "all_reduce", 72, false));
        assertEquals(
                304, BusReference.of("AMD Instinct MI300X OAM", "all_reduce", 8, false).busbw());
        for (BusReference reference : BusReference.all()) {
            assertTrue(reference.busbw() > 0 && reference.source().length() > 10);
            assertTrue(BusFactor.OPS.contains(reference.op()) && reference.fewest() >= 2);
        }
        h200(2);
        BusCeiling ceiling = only("all_reduce", 2, "P2P");
        assertTrue(ceiling.because().toString().contains("2 × H200: 339 GB/s"));
        assertEquals(339.0, ceiling.referenceGbps());
        assertTrue(ceiling.reference().startsWith("2 × H200 (own capture"), ceiling.reference());
    }

    @Test
    void aSmallMessageIsNotComparedWithWhatLargeOnesReach() {
        h200(2);
        List<Fact> small =
                Ceilings.of(KnownFacts.ofFacts(facts), "all_reduce", first(2), "P2P", 256L << 20);
        assertNull(((BusCeiling) small.get(0)).expectedGbps());
        assertEquals(450, ((BusCeiling) small.get(0)).gbps());
        List<Fact> large =
                Ceilings.of(KnownFacts.ofFacts(facts), "all_gather", first(2), "P2P", 2L << 30);
        assertEquals(288, ((BusCeiling) large.get(0)).expectedGbps());
    }

    @Test
    void sharedMemoryIsBoundByThePcieLinkAndTheLinksCeilingStays() {
        h200(2);
        List<Fact> both = ceilings("all_reduce", 2, "SHM");
        assertEquals(450, ((BusCeiling) both.get(0)).gbps());
        BusCeiling shm = (BusCeiling) both.get(1);
        assertEquals("SHM", shm.transport());
        assertEquals(63.0, shm.gbps());
        assertEquals(27.7, shm.expectedGbps());
        BusCeiling socket = (BusCeiling) ceilings("all_reduce", 2, "NET/Socket").get(1);
        assertEquals(3.4, socket.expectedGbps());
    }

    @Test
    void reductionInTheSwitchMayPassTheRingBound() {
        h200(8);
        facts.add(new NcclComm("nccl", "2.28.9", "IB", 8, 1, true, false, true));
        List<Fact> found = ceilings("all_reduce", 8, "P2P");
        assertEquals("NVLS", ((BusCeiling) found.get(1)).transport());
        assertEquals(787.5, ((BusCeiling) found.get(1)).gbps());
        assertEquals(1, ceilings("all_gather", 8, "P2P").size());
    }

    @Test
    void aLinkThatIsDownLowersTheBoundOfAllRings() {
        h200(4);
        facts.add(new NvLinkState(2, 17, 1, 26.562));
        assertEquals(425, only("all_reduce", 4, null).gbps());
    }

    @Test
    void aMachineWithoutLinkRatesIsToldByItsComputeCapability() {
        facts.add(new Topology(LinkClass.NVLINK_FULL_MESH, 4, List.of(first(4))));
        gpus(4, "nvidia", "NVIDIA A100-SXM4-40GB", "8.0");
        allPairs(4, "NV4", 4);
        assertEquals(300, only("all_reduce", 4, null).gbps());
        assertEquals(300, only("alltoall", 4, null).gbps());
        assertEquals(100, only("sendrecv", 4, null).gbps());
    }

    @Test
    void aMachineTypeThatNoTableKnowsIsToldByItsLinks() {
        facts.add(new Topology(LinkClass.NVSWITCH_ALL_TO_ALL, 4, List.of(first(4))));
        gpus(4, "nvidia", "NVIDIA X900", "13.0");
        allPairs(4, "NV24", 24);
        for (int i = 0; i < 4; i++) {
            facts.add(new NvLinkState(i, 24, 0, 100.0));
        }
        assertEquals(2400, only("all_reduce", 4, null).gbps());
    }

    @Test
    void anUnknownRateIsUnknown() {
        facts.add(new Topology(LinkClass.NVSWITCH_ALL_TO_ALL, 2, List.of(first(2))));
        gpus(2, "nvidia", "NVIDIA X900", "13.0");
        allPairs(2, "NV24", 24);
        assertTrue(((Unknown) ceilings("all_reduce", 2, null).get(0)).why().contains("nvlink -s"));
        assertTrue(
                Ceilings.of(KnownFacts.ofFacts(List.of()), "all_reduce", first(2), null, null)
                                .get(0)
                        instanceof Unknown);
    }

    @Test
    void aBridgedPairOfCardsHasNoSwitch() {
        facts.add(new Topology(LinkClass.NVSWITCH_ALL_TO_ALL, 2, List.of(first(2))));
        gpus(2, "nvidia", "NVIDIA A100 80GB PCIe", "8.0");
        allPairs(2, "NV12", 12);
        BusCeiling ceiling = only("all_reduce", 2, null);
        assertEquals(300, ceiling.gbps());
        assertEquals(192, ceiling.expectedGbps());
    }

    @Test
    void ringsOverTwoBridgedPairsCrossPcie() {
        facts.add(new Topology(LinkClass.NVLINK_PAIRS, 4, List.of(List.of(0, 1), List.of(2, 3))));
        gpus(4, "nvidia", "NVIDIA A100 80GB PCIe", "8.0");
        for (int a = 0; a < 4; a++) {
            for (int b = a + 1; b < 4; b++) {
                boolean pair = b == a + 1 && a % 2 == 0;
                facts.add(new GpuPair(a, b, pair ? "NV12" : "SYS", pair ? 12 : null, null));
                facts.add(new P2pPair(a, b, "read", "OK"));
            }
        }
        pcie(4, 4, 16);
        assertEquals(31.5, only("all_reduce", 4, null).gbps());
        assertEquals("P2P", only("all_reduce", 4, null).transport());
        assertEquals(300, only("all_reduce", 2, null).gbps());
    }

    @Test
    void pcieWithoutPeerAccessGoesThroughHostMemory() {
        facts.add(new Topology(LinkClass.PCIE_ONLY, 2, List.of()));
        gpus(2, "nvidia", "NVIDIA GeForce RTX 4090", "8.9");
        allPairs(2, "PHB", null);
        facts.add(new P2pPair(0, 1, "read", "CNS"));
        pcie(2, 4, 8);
        BusCeiling ceiling = only("all_reduce", 2, "SHM");
        assertEquals("SHM", ceiling.transport());
        assertEquals(15.8, ceiling.gbps());
    }

    @Test
    void whetherPeerAccessIsGrantedMayBeUnknown() {
        facts.add(new Topology(LinkClass.PCIE_ONLY, 2, List.of()));
        allPairs(2, "PHB", null);
        pcie(2, 4, 16);
        BusCeiling ceiling = only("all_reduce", 2, null);
        assertNull(ceiling.transport());
        assertNull(ceiling.expectedGbps());
        assertEquals(31.5, ceiling.gbps());
    }

    @Test
    void infinityFabricCountsTheLinksToThePeersOfTheJobOnly() {
        facts.add(new Topology(LinkClass.XGMI_ALL_TO_ALL, 8, List.of(first(8))));
        gpus(8, "amd", "AMD Instinct MI300X", "gfx942");
        allPairs(8, "XGMI", null);
        assertEquals(448, only("all_reduce", 8, null).gbps());
        assertEquals(64, only("all_reduce", 2, null).gbps());
        assertEquals(192, only("alltoall", 4, null).gbps());
    }

    @Test
    void amdSmiMayTellTheRate() {
        facts.add(new Topology(LinkClass.XGMI_ALL_TO_ALL, 2, List.of(first(2))));
        facts.add(new GpuPair(0, 1, "XGMI", null, 1, 200.0));
        assertEquals(200, only("all_gather", 2, null).gbps());
    }

    @Test
    void theCubeMeshOfEightV100IsBoundByItsNarrowestCut() {
        facts.add(new Topology(LinkClass.NVLINK_PARTIAL, 8, List.of(first(8))));
        gpus(8, "nvidia", "Tesla V100-SXM2-32GB", "7.0");
        int[][] nv = {
            {0, 1, 1, 2, 2, 0, 0, 0}, {1, 0, 2, 1, 0, 2, 0, 0}, {1, 2, 0, 2, 0, 0, 1, 0},
            {2, 1, 2, 0, 0, 0, 0, 1}, {2, 0, 0, 0, 0, 1, 1, 2}, {0, 2, 0, 0, 1, 0, 2, 1},
            {0, 0, 1, 0, 1, 2, 0, 2}, {0, 0, 0, 1, 2, 1, 2, 0}
        };
        for (int a = 0; a < 8; a++) {
            for (int b = a + 1; b < 8; b++) {
                facts.add(
                        new GpuPair(
                                a,
                                b,
                                nv[a][b] > 0 ? "NV" + nv[a][b] : "SYS",
                                nv[a][b] > 0 ? nv[a][b] : null,
                                null));
            }
            facts.add(new NvLinkState(a, 6, 0, 25.781));
        }
        assertEquals(150, only("all_reduce", 8, null).gbps());
    }

    @Test
    void theMinimumCutIsThatOfTryingEveryCut() {
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            int n = 2 + random.nextInt(7);
            double[][] w = new double[n][n];
            for (int a = 0; a < n; a++) {
                for (int b = a + 1; b < n; b++) {
                    w[a][b] = w[b][a] = random.nextInt(3) * 25.0;
                }
            }
            double least = Double.MAX_VALUE;
            for (int half = 1; half < (1 << n) - 1; half++) {
                double cut = 0;
                for (int a = 0; a < n; a++) {
                    for (int b = 0; b < n; b++) {
                        cut += (half >> a & 1) == 1 && (half >> b & 1) == 0 ? w[a][b] : 0;
                    }
                }
                least = Math.min(least, cut);
            }
            assertEquals(least, MinimumCut.of(w), 1e-9);
        }
    }
}
