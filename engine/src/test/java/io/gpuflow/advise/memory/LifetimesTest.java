package io.gpuflow.advise.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuflow.advise.Attention;
import io.gpuflow.advise.BadModel;
import io.gpuflow.advise.JsonTree;
import io.gpuflow.advise.Layout;
import io.gpuflow.advise.ModelReader;
import io.gpuflow.advise.ModelShape;
import io.gpuflow.advise.Optimizer;
import io.gpuflow.advise.Precision;
import io.gpuflow.advise.Strategy;
import io.gpuflow.advise.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** After a step nothing is left but weights and states, whatever the family and the way. */
class LifetimesTest {
    private static final String[] STRATEGIES = {
        "single",
        "ddp",
        "fsdp2",
        "fsdp2-no-reshard",
        "hsdp2",
        "zero1",
        "zero2",
        "zero3",
        "zero3-cpu",
        "tp2+sp",
        "pp2",
        "cp2+fsdp2",
        "tp2+fsdp2",
        "ep4+fsdp2"
    };

    @TestFactory
    List<DynamicTest> nothingIsLeft() throws Exception {
        List<DynamicTest> tests = new ArrayList<>();
        JsonNode models =
                new ObjectMapper()
                        .readTree(Files.readString(Path.of("engine/bench/memory/models.json")));
        for (Iterator<Map.Entry<String, JsonNode>> i = models.fields(); i.hasNext(); ) {
            Map.Entry<String, JsonNode> entry = i.next();
            String name = entry.getKey();
            ModelShape model =
                    ModelReader.read(name, JsonTree.read(name, entry.getValue().toString()));
            tests.add(dynamicTest(name, () -> everyWay(model)));
        }
        return tests;
    }

    /** Each strategy with some of the formats, kernels and optimizers: all of them in the end. */
    private static void everyWay(ModelShape model) throws BadModel {
        int turn = model.family().length();
        for (String strategy : STRATEGIES) {
            for (int i = 0; i < 3; i++) {
                turn++;
                Workload work =
                        new Workload(
                                2,
                                256,
                                null,
                                Precision.values()[turn % 4],
                                Optimizer.values()[turn % 8],
                                turn % 2 == 0,
                                Attention.values()[turn % 3]);
                int gpus = strategy.equals("single") ? 1 : 4;
                check(model, work, Strategy.layout(strategy, gpus, 1).withAccumulation(1 + i % 2));
            }
        }
    }

    private static void check(ModelShape model, Workload work, Layout layout) {
        Memory memory = new Memory(new CachingAllocator(Long.MAX_VALUE), 0);
        new StepSimulation(model, work, layout, layout.pp() - 1, memory, true, 3).run();
        String what = model.family() + " " + work + " " + layout;
        assertEquals(0, memory.now(Part.TEMPORARY), what);
        assertEquals(0, memory.now(Part.LOGITS), what);
        assertEquals(0, memory.now(Part.GRADIENTS), what);
        assertEquals(0, memory.now(Part.CAST_WEIGHTS), what);
        assertTrue(memory.now(Part.ACTIVATIONS) <= 2 * 256 * 8, what);
    }
}
