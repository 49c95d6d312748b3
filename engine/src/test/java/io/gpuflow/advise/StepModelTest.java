package io.gpuflow.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Predicted against measured time of steps, and the arithmetic of communication. */
class StepModelTest {
    private static final Path ROWS = Path.of("engine/bench/memory/h200-rows.jsonl");

    static TrainingMachine machine(int nodes, int gpus, boolean joined, double gbps) {
        boolean[][] links = new boolean[gpus][gpus];
        for (boolean[] row : links) {
            Arrays.fill(row, joined);
        }
        Wire wire = new Wire(Map.of("all_reduce", gbps), 20e-6, Map.of(), "test");
        Map<Scope, Wire> wires =
                Map.of(
                        Scope.FAST,
                        wire,
                        Scope.MACHINE,
                        wire,
                        Scope.NETWORK,
                        new Wire(Map.of("all_reduce", 40.0), 50e-6, Map.of(), "test"));
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < gpus; i++) {
            all.add(i);
        }
        return new TrainingMachine(
                nodes,
                all,
                "NVIDIA H200",
                150_000_000_000L,
                links,
                List.of(),
                8,
                wires,
                GpuSpeed.of("NVIDIA H200"),
                List.of());
    }

    static ModelShape model(String name) {
        return switch (name) {
            case "160m" -> SampleModels.llama(768, 12, 12, 12, 3072, 32000, false);
            case "1.1b" -> SampleModels.tinyLlama();
            case "3.2b" -> SampleModels.llama(3072, 28, 24, 8, 8192, 128256, false);
            case "8b" -> SampleModels.llama8b();
            case "qwen2-0.5b" -> SampleModels.llama(896, 24, 14, 2, 4864, 151936, true);
            case "qwen2-1.5b" -> SampleModels.llama(1536, 28, 12, 2, 8960, 151936, true);
            case "mistral-7b" -> SampleModels.llama(4096, 32, 32, 8, 14336, 32000, false);
            case "phi3-mini" -> SampleModels.llama(3072, 16, 32, 32, 8192, 32064, false);
            default -> null;
        };
    }

    @Test
    void singleGpuStepsAreAsMeasured() throws IOException {
        List<Double> errors = new ArrayList<>();
        for (String line : Files.readAllLines(ROWS)) {
            JsonNode r = new ObjectMapper().readTree(line);
            ModelShape model = model(r.path("model").asText());
            if (model == null || r.path("world").asInt() != 1 || r.path("oom").asBoolean()) {
                continue;
            }
            String optimizer = r.path("optimizer").asText();
            if (!List.of("adamw", "adamw-fused", "sgd", "sgd-momentum").contains(optimizer)) {
                continue; // theirs is bound by the host, tensor by tensor
            }
            double predicted =
                    StepModel.of(model, workload(r), Layout.single(), machine(1, 1, false, 1))
                            .seconds();
            double measured = r.path("step_s").asDouble();
            errors.add(Math.abs(predicted / measured - 1));
            if (System.getProperty("rows") != null) {
                System.out.printf(
                        "%s %.4f measured, %.4f predicted, %+.0f %%%n",
                        line.substring(0, 130),
                        measured,
                        predicted,
                        100 * (predicted / measured - 1));
            }
        }
        errors.sort(null);
        assertTrue(errors.size() >= 15, errors.size() + " rows");
        assertTrue(errors.get(errors.size() / 2) < 0.12, "median " + errors);
        assertTrue(errors.get(errors.size() - 1) < 0.35, "worst " + errors);
    }

    static Workload workload(JsonNode r) {
        Precision precision =
                Arrays.stream(Precision.values())
                        .filter(p -> p.word().equals(r.path("precision").asText()))
                        .findFirst()
                        .orElseThrow();
        Optimizer optimizer =
                Arrays.stream(Optimizer.values())
                        .filter(o -> o.word().equals(r.path("optimizer").asText("adamw")))
                        .findFirst()
                        .orElseThrow();
        Attention attention =
                r.path("attention").asText("sdpa").equals("eager")
                        ? Attention.EAGER
                        : Attention.SDPA;
        return new Workload(
                r.path("mbs").asInt(),
                r.path("seq").asInt(),
                null,
                precision,
                optimizer,
                r.path("recompute").asBoolean(),
                attention);
    }

    @Test
    void ddpSendsTwiceTheGradientsAndFsdpHalfAsMuchAgain() {
        ModelShape model = SampleModels.llama8b();
        Workload work = SampleModels.workload(1, 2048, Precision.BF16, false);
        TrainingMachine m = machine(1, 8, true, 360);
        double parameters = model.parameters().total();
        assertEquals(
                parameters * 2,
                sent(model, work, Layout.of(DataParallel.DDP, 8), m),
                parameters * 0.001);
        // All-reduce of a message moves twice what an all-gather of it does.
        assertEquals(
                3 * parameters * 2,
                sent(model, work, Layout.of(DataParallel.FSDP2, 8), m),
                parameters * 2 * 0.15);
        assertEquals(
                2 * parameters * 2,
                sent(model, work, Layout.of(DataParallel.FSDP2_NO_RESHARD, 8), m),
                parameters * 0.01);
        assertEquals(
                2 * parameters * 2,
                sent(model, work, Layout.of(DataParallel.ZERO1, 8), m),
                parameters * 0.01);
        double ddp = StepModel.of(model, work, Layout.of(DataParallel.DDP, 8), m).communication();
        // 2·7/8 · 16.06 GB / 360 GB/s = 0.078 s, a tenth more beside compute, 600 calls of 20 µs.
        assertEquals(0.098, ddp, 0.003);
    }

    private static double sent(ModelShape model, Workload work, Layout layout, TrainingMachine m) {
        return Traffic.of(model, work, layout, RankOrder.of(m, layout)).stream()
                .mapToDouble(Transfer::total)
                .sum();
    }

    @Test
    void accumulationSavesDdpTrafficAndNotFsdps() {
        ModelShape model = SampleModels.tinyLlama();
        Workload work = SampleModels.workload(1, 2048, Precision.MIXED, false);
        TrainingMachine m = machine(1, 2, false, 20);
        Layout ddp = Layout.of(DataParallel.DDP, 2);
        Layout fsdp = Layout.of(DataParallel.FSDP2, 2);
        assertEquals(sent(model, work, ddp, m), sent(model, work, ddp.withAccumulation(8), m), 1);
        assertEquals(
                8 * sent(model, work, fsdp, m), sent(model, work, fsdp.withAccumulation(8), m), 8);
    }

    @Test
    void tensorParallelismOverPcieCostsMoreThanOverNvlink() {
        ModelShape model = SampleModels.llama8b();
        Workload work = SampleModels.workload(1, 4096, Precision.BF16, false);
        Layout tensor =
                new Layout(
                        DataParallel.NONE,
                        1,
                        1,
                        8,
                        true,
                        1,
                        1,
                        1,
                        1,
                        1,
                        Layout.Offload.NONE,
                        Layout.Offload.NONE);
        StepTime fast = StepModel.of(model, work, tensor, machine(1, 8, true, 360));
        StepTime slow = StepModel.of(model, work, tensor, machine(1, 8, false, 20));
        assertTrue(slow.exposed() > 10 * fast.exposed());
        assertTrue(slow.seconds() > 3 * fast.seconds());
    }

    @Test
    void moreMicroStepsMakeTheBubbleSmaller() {
        ModelShape model = SampleModels.llama8b();
        Workload work = SampleModels.workload(1, 4096, Precision.BF16, false);
        double[] share = new double[2];
        for (int v = 1; v <= 2; v++) {
            Layout l =
                    new Layout(
                            DataParallel.NONE,
                            1,
                            1,
                            1,
                            false,
                            4,
                            v,
                            1,
                            1,
                            16,
                            Layout.Offload.NONE,
                            Layout.Offload.NONE);
            StepTime t = StepModel.of(model, work, l, machine(1, 4, true, 360));
            share[v - 1] = t.bubble() / (t.compute());
        }
        assertEquals(3.0 / 16, share[0], 0.05);
        assertEquals(share[0] / 2, share[1], 0.001);
    }

    @Test
    void twoNodesGoOverTheNetwork() {
        Layout ddp = Layout.of(DataParallel.DDP, 16);
        TrainingMachine m = machine(2, 8, true, 360);
        assertEquals(Scope.NETWORK, RankOrder.of(m, ddp).data(16));
        Layout hybrid =
                new Layout(
                        DataParallel.FSDP2,
                        16,
                        8,
                        1,
                        false,
                        1,
                        1,
                        1,
                        1,
                        1,
                        Layout.Offload.NONE,
                        Layout.Offload.NONE);
        assertEquals(Scope.FAST, RankOrder.of(m, hybrid).data(8));
        assertEquals(Scope.NETWORK, RankOrder.of(m, hybrid).replicas());
    }

    @Test
    void unknownLinksOrGpusAreNotGuessed() {
        TrainingMachine m = machine(1, 2, true, 360);
        TrainingMachine noLinks =
                new TrainingMachine(
                        1, m.gpus(), m.gpu(), null, null, List.of(), null, Map.of(), m.speed(),
                        List.of());
        ModelShape model = SampleModels.tinyLlama();
        Workload work = SampleModels.workload(1, 2048, Precision.BF16, false);
        StepTime t = StepModel.of(model, work, Layout.of(DataParallel.DDP, 2), noLinks);
        assertNull(t.communication());
        assertNull(t.seconds());
        assertTrue(t.compute() > 0);
        assertNull(GpuSpeed.of("Unheard-of Accelerator 3000"));
    }

    @Test
    void pairsBecomeNeighbours() {
        boolean[][] joined = new boolean[4][4];
        joined[0][2] = joined[2][0] = joined[1][3] = joined[3][1] = true;
        TrainingMachine base = machine(1, 4, false, 20);
        TrainingMachine pairs =
                new TrainingMachine(
                        1,
                        base.gpus(),
                        base.gpu(),
                        base.gpuBytes(),
                        joined,
                        List.of(),
                        4,
                        base.wires(),
                        base.speed(),
                        List.of());
        Layout l =
                new Layout(
                        DataParallel.DDP,
                        2,
                        1,
                        2,
                        true,
                        1,
                        1,
                        1,
                        1,
                        1,
                        Layout.Offload.NONE,
                        Layout.Offload.NONE);
        Placement p = RankOrder.of(pairs, l).placement();
        assertEquals(List.of(0, 2, 1, 3), p.gpus());
        assertEquals(
                new Placement.Group("tp", List.of(List.of(0, 2), List.of(1, 3))),
                p.groups().get(0));
        assertEquals(
                new Placement.Group("dp", List.of(List.of(0, 1), List.of(2, 3))),
                p.groups().get(1));
        assertEquals(Scope.FAST, RankOrder.of(pairs, l).tensor());
        assertEquals(Scope.MACHINE, RankOrder.of(pairs, l).data(2));
    }
}
