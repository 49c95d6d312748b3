package io.gpuflow.advise.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuflow.advise.Attention;
import io.gpuflow.advise.BadModel;
import io.gpuflow.advise.DataParallel;
import io.gpuflow.advise.JsonTree;
import io.gpuflow.advise.Layout;
import io.gpuflow.advise.MemoryModel;
import io.gpuflow.advise.ModelReader;
import io.gpuflow.advise.ModelShape;
import io.gpuflow.advise.Optimizer;
import io.gpuflow.advise.PeakMemory;
import io.gpuflow.advise.Precision;
import io.gpuflow.advise.Strategy;
import io.gpuflow.advise.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every real training step that was measured, against what is predicted for it. */
class MemoryRowsTest {
    private static final Path BENCH = Path.of("engine/bench/memory");
    private static final Path ROWS = BENCH.resolve("h200-rows.jsonl");

    /** Measured after the model was written, most of them of families that it had not met. */
    private static final Path FAMILIES = BENCH.resolve("h200-families.jsonl");

    private static final Path MODELS = BENCH.resolve("models.json");

    /** Further rows, measured by others; not always there. */
    private static final Path SHARED = Path.of("../shared/memory/measured-h200x1.jsonl");

    private static final double GIB = 1L << 30;
    private static final long H200 = (long) (139.8 * GIB);
    private static final ObjectMapper JSON = new ObjectMapper();

    @TestFactory
    List<DynamicTest> rows() throws IOException, BadModel {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path file : List.of(ROWS, FAMILIES, SHARED)) {
            if (!Files.exists(file)) {
                continue;
            }
            for (String line : Files.readAllLines(file)) {
                JsonNode row = JSON.readTree(line);
                if (!row.has("error")) {
                    tests.add(dynamicTest(name(row), () -> check(row)));
                }
            }
        }
        assertFalse(tests.isEmpty());
        return tests;
    }

    private static String name(JsonNode row) {
        return "%s %s ×%d, batch %d × %d, %s, %s, %s%s"
                .formatted(
                        row.get("model").asText(),
                        row.get("strategy").asText(),
                        row.get("world").asInt(),
                        row.get("mbs").asInt(),
                        row.get("seq").asInt(),
                        row.get("precision").asText(),
                        row.path("optimizer").asText("adamw"),
                        row.path("attention").asText("sdpa"),
                        row.get("recompute").asBoolean() ? ", recompute" : "");
    }

    private static void check(JsonNode row) throws IOException, BadModel {
        ModelShape model = model(row.get("model").asText());
        assertEquals(row.get("params").asLong(), model.parameters().total());
        Workload work = work(row);
        Layout layout =
                Strategy.layout(row.get("strategy").asText(), row.get("world").asInt(), 1)
                        .withAccumulation(row.path("accumulation").asInt(1));
        MemoryModel memory = new SimulatedMemory();
        PeakMemory peak = memory.predict(model, work, layout, H200);
        if (row.path("oom").asBoolean()) {
            assertNull(peak);
            return;
        }
        double allocated = row.get("peak_alloc_gib").asDouble();
        if (layout.data() == DataParallel.DDP) {
            eitherWay(allocated, model, work, layout);
        } else {
            assertEquals(allocated, peak.allocated() / GIB, 0.01 * allocated);
        }
        double reserved = row.get("peak_reserved_gib").asDouble();
        assertEquals(reserved, peak.reserved() / GIB, 0.25 * reserved);
        phases(row, model, work, layout);
    }

    /** With the buckets of the first step or without them: which of the two is a race. */
    private static void eitherWay(
            double allocated, ModelShape model, Workload work, Layout layout) {
        double nearest = 1;
        for (boolean twice : new boolean[] {false, true}) {
            Memory memory = new Memory(new CachingAllocator(Long.MAX_VALUE), 0);
            new StepSimulation(model, work, layout, 0, memory, twice, 3).run();
            nearest = Math.min(nearest, Math.abs(memory.peak() / GIB / allocated - 1));
        }
        assertEquals(0, nearest, 0.01);
    }

    /** Also the peaks of the phases, which are not the peak of the step. */
    private static void phases(JsonNode row, ModelShape model, Workload work, Layout layout) {
        JsonNode measured = row.path("phases");
        Memory memory = new Memory(new CachingAllocator(Long.MAX_VALUE), 0);
        new StepSimulation(model, work, layout, 0, memory, false, 3).run();
        Map<String, Long> predicted = memory.phasePeaks();
        for (String phase : List.of("forward", "backward", "step")) {
            if (measured.has(phase)) {
                double wanted = measured.get(phase).asDouble();
                long bytes = predicted.get(phase.equals("step") ? "optimizer step" : phase);
                assertEquals(wanted, bytes / GIB, 0.015 * wanted, phase);
            }
        }
    }

    private static ModelShape model(String name) throws IOException, BadModel {
        JsonNode config = JSON.readTree(Files.readString(MODELS)).get(name);
        assertTrue(config != null, name + " is not in models.json");
        return ModelReader.read(name, JsonTree.read(name, config.toString()));
    }

    private static Workload work(JsonNode row) {
        return new Workload(
                row.get("mbs").asInt(),
                row.get("seq").asInt(),
                null,
                named(Precision.values(), Precision::word, row.get("precision").asText()),
                named(Optimizer.values(), Optimizer::word, row.path("optimizer").asText("adamw")),
                row.get("recompute").asBoolean(),
                named(Attention.values(), Attention::word, row.path("attention").asText("sdpa")));
    }

    private static <E> E named(E[] values, Function<E, String> word, String wanted) {
        return Arrays.stream(values).filter(v -> word.apply(v).equals(wanted)).findFirst().get();
    }
}
