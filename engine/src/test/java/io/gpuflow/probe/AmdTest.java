package io.gpuflow.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.GpuHealth;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.PcieLink;
import io.gpuflow.facts.Topology;
import io.gpuflow.facts.Unknown;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * An AMD machine: amd-smi first, rocm-smi when there is none, NVIDIA's questions of no interest.
 */
class AmdTest {
    private static final String STATIC = "amd-smi static -g all --json";
    private static final String ROCM =
            "rocm-smi --showproductname --showuniqueid --showbus --showmeminfo vram"
                    + " --showdriverversion --json";

    @Test
    void whatSeveralCommandsSayOfAGpuIsOne() throws IOException, InterruptedException {
        FakeTools tools =
                new FakeTools()
                        .prints(
                                STATIC,
                                NvidiaSmiTest.sample("amd-smi-static/mi300x-x2--rocm62.out"))
                        .prints(
                                "amd-smi list -e --json",
                                NvidiaSmiTest.sample("amd-smi-static/mi300x-x2--list-e.out"))
                        .prints(
                                "amd-smi metric -g all --json",
                                NvidiaSmiTest.sample(
                                        "amd-smi-metric/mi300x-x2--one-throttled.out"));
        List<Observed> facts = SurveyTest.ask(tools);
        Gpu gpu = NvidiaSmiTest.gpus(facts).get(0);
        assertEquals("gfx942", gpu.computeCapability());
        assertEquals("GPU-0000000000000001", gpu.uuid());
        PcieLink link = first(facts, PcieLink.class);
        assertEquals(new PcieLink(0, 5, 5, 16, 16), link);
        GpuHealth health = first(facts, GpuHealth.class);
        assertEquals(List.of("ppt"), health.throttleReasons());
        assertEquals(750.0, health.powerLimitW());
        assertTrue(
                facts.stream()
                        .noneMatch(
                                o ->
                                        o.fact() instanceof Unknown u
                                                && u.why().contains("nvidia-smi")),
                facts.toString());
    }

    @Test
    void rocmSmiWhereThereIsNoAmdSmi() throws IOException, InterruptedException {
        FakeTools tools =
                new FakeTools().prints(ROCM, NvidiaSmiTest.sample("rocm-smi/mi250--json.out"));
        List<Observed> facts = SurveyTest.ask(tools);
        assertEquals(2, NvidiaSmiTest.gpus(facts).size());
        assertTrue(SurveyTest.unknown(facts, "GpuHealth").contains("amd-smi is not installed"));
    }

    @Test
    void theTextWhereAmdSmiHasNoJson() throws IOException, InterruptedException {
        FakeTools tools =
                new FakeTools()
                        .exits("amd-smi topology --json", 1, "", "error: unrecognized arguments\n")
                        .prints(
                                "amd-smi topology",
                                NvidiaSmiTest.sample("amd/mi300x-x8--topology.out"));
        List<Observed> facts = SurveyTest.ask(tools);
        Topology topology = first(facts, Topology.class);
        assertTrue(topology.linkClass().label().startsWith("xgmi"), topology.toString());
        assertTrue(facts.stream().anyMatch(o -> o.source().text().equals("amd-smi topology")));
    }

    @Test
    void aMissingProgramIsNotAskedTwice() throws InterruptedException {
        FakeTools tools = new FakeTools();
        SurveyTest.ask(tools);
        assertEquals(1, tools.asked.stream().filter(a -> a.startsWith("amd-smi topology")).count());
        assertEquals(
                1, tools.asked.stream().filter(a -> a.startsWith("rocm-smi --showtopo")).count());
    }

    @Test
    void aUserOutsideTheGroups() throws InterruptedException {
        FakeTools tools =
                new FakeTools()
                        .exits(
                                STATIC,
                                255,
                                "",
                                "User is missing the following required groups: render, video. Please add"
                                        + " user to these groups.\n");
        String why = SurveyTest.unknown(SurveyTest.ask(tools), "Gpu");
        assertTrue(why.contains("missing the following") && why.contains("log in again"), why);
    }

    private static <T> T first(List<Observed> facts, Class<T> type) {
        return facts.stream()
                .map(Observed::fact)
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }
}
