package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verb as a person types it. */
class AdviseCommandTest {
    private static final String LLAMA = "engine/samples/models/llama-3-8b.json";
    private static final String MOE = "engine/samples/models/small-moe.yaml";
    private static final String RECORDING = "examples/h200x2-live/recording";

    private record Printed(int exit, String out, String err) {}

    @TempDir Path folder;

    private static Printed run(String... args) {
        List<String> all = new ArrayList<>(List.of("advise"));
        all.addAll(List.of(args));
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream stdout = new ByteArrayOutputStream();
        ByteArrayOutputStream stderr = new ByteArrayOutputStream();
        try {
            System.setOut(new PrintStream(stdout, true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(stderr, true, StandardCharsets.UTF_8));
            int exit = Main.run(all.toArray(new String[0]));
            return new Printed(
                    exit,
                    stdout.toString(StandardCharsets.UTF_8),
                    stderr.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    private static JsonNode json(Printed printed) throws IOException {
        return new ObjectMapper().readTree(printed.out);
    }

    @Test
    void oneStrategyIsPredictedAsItWasSaid() throws IOException {
        Printed printed =
                run(
                        "--model",
                        LLAMA,
                        "--gpus",
                        "8",
                        "--gpu-memory",
                        "80",
                        "--strategy",
                        "fsdp2",
                        "--micro-batch",
                        "2",
                        "--seq",
                        "4096",
                        "--precision",
                        "bf16",
                        "--json");
        assertEquals(0, printed.exit, printed.err);
        JsonNode all = json(printed);
        assertEquals(1, all.path("candidates").size());
        assertEquals(0, all.path("chosen").asInt(-1));
        JsonNode first = all.path("candidates").get(0);
        assertEquals("fsdp2", first.path("strategy").asText());
        assertTrue(first.path("fits").asBoolean());
        assertEquals(2, first.path("micro_batch").asInt());
        assertFalse(first.path("recompute").asBoolean());
        JsonNode peak = first.path("peak_gib");
        double parts = 0;
        for (String part : List.of("states", "activations", "logits", "transient")) {
            parts += peak.path(part).asDouble();
        }
        assertEquals(peak.path("allocated").asDouble(), parts, 0.001);
        double total = peak.path("reserved").asDouble() + peak.path("overhead").asDouble();
        assertEquals(peak.path("total").asDouble(), total, 0.001);
    }

    @Test
    void theMachineIsAskedForItsGpus() throws IOException {
        Printed printed = run("--model", LLAMA, "--machine", RECORDING, "--json");
        assertEquals(0, printed.exit, printed.err);
        JsonNode all = json(printed);
        assertEquals(2, all.path("gpus").asInt());
        assertEquals(140.4, all.path("gpu_memory_gib").asDouble(), 0.5);
        assertTrue(all.path("candidates").size() > 3);
        boolean refused = false;
        for (JsonNode c : all.path("candidates")) {
            assertFalse(refused && c.path("fits").asBoolean(), "what fits comes first");
            refused |= !c.path("fits").asBoolean();
            assertFalse(c.path("because").isEmpty());
        }
    }

    @Test
    void onlyTheBestIsToldInFullUnlessAllIsAskedFor() {
        Printed brief = run("--model", LLAMA, "--machine", RECORDING);
        Printed all = run("--model", LLAMA, "--machine", RECORDING, "--explain");
        String group = "data-parallel group: GPUs 0,1";
        assertEquals(1, brief.out.split(group, -1).length - 1, brief.out);
        assertTrue(all.out.split(group, -1).length > 3, all.out);
        for (String said :
                List.of(
                        "-> fsdp2 ",
                        "no ddp ",
                        "tokens/s\n",
                        "the binding limit: weights, gradients and optimizer states",
                        "[fits-tightly]",
                        "memory of ZeRO is from DeepSpeed's source, not checked",
                        "--explain gives the arithmetic")) {
            assertTrue(brief.out.contains(said), said + " in " + brief.out);
        }
    }

    @Test
    void nothingIsChosenAsFittingWhereMemoryIsNotKnown() {
        Printed printed = run("--params", "7e9", "--gpus", "8");
        if (printed.exit == 3) {
            assertTrue(printed.out.contains("\n  whether it fits can't be told: "), printed.out);
            assertFalse(printed.out.contains("-> "), printed.out);
        }
    }

    @Test
    void aWrongValueIsToldInOneLine() {
        Printed printed = run("--params", "many");
        assertEquals(2, printed.exit);
        assertEquals(
                "gpuflow advise: invalid value for option '--params': 'many' is not a number;"
                        + " gpuflow advise --help tells the options\n",
                printed.err);
    }

    @Test
    void theExplanationIsArithmetic() {
        Printed printed =
                run(
                        "--model",
                        MOE,
                        "--gpus",
                        "2",
                        "--gpu-memory",
                        "80",
                        "--strategy",
                        "ddp",
                        "--micro-batch",
                        "1",
                        "--explain");
        assertEquals(0, printed.exit, printed.err);
        assertTrue(printed.out.contains("gradient buckets"), printed.out);
        assertTrue(printed.out.contains("× 4 B)"), printed.out);
        assertTrue(printed.out.contains("allocated (torch.cuda.max_memory_allocated)"));
    }

    @Test
    void whatDoesNotFitSaysWhatWould() throws IOException {
        Printed printed =
                run(
                        "--model",
                        LLAMA,
                        "--gpus",
                        "2",
                        "--gpu-memory",
                        "139.8",
                        "--strategy",
                        "fsdp2",
                        "--micro-batch",
                        "32",
                        "--json");
        assertEquals(1, printed.exit, printed.err);
        String because = json(printed).path("candidates").get(0).path("because").toString();
        assertTrue(because.contains("the binding limit: activations"), because);
        assertTrue(because.contains("to fit: micro-batch 4"), because);
        assertTrue(json(printed).path("chosen").isNull());
    }

    @Test
    void theGlobalBatchIsKept() throws IOException {
        Printed printed =
                run(
                        "--model",
                        MOE,
                        "--gpus",
                        "8",
                        "--gpu-memory",
                        "80",
                        "--global-batch",
                        "96",
                        "--json");
        assertEquals(0, printed.exit, printed.err);
        for (JsonNode c : json(printed).path("candidates")) {
            assertEquals(96, c.path("global_batch").asInt(), c.toString());
        }
        Printed none =
                run(
                        "--model",
                        MOE,
                        "--gpus",
                        "8",
                        "--gpu-memory",
                        "80",
                        "--global-batch",
                        "7",
                        "--strategy",
                        "ddp");
        assertEquals(2, none.exit);
        assertTrue(none.err.contains("--global-batch 7"), none.err);
    }

    @Test
    void wrongUsageIsSaidAtOnce() throws IOException {
        Printed printed =
                run("--model", LLAMA, "--precision", "int4", "--optimizer", "adam", "--seq", "0");
        assertEquals(2, printed.exit);
        assertTrue(printed.err.contains("--precision int4: there are fp32"), printed.err);
        assertTrue(printed.err.contains("--optimizer adam: there are adamw"), printed.err);
        assertTrue(printed.err.contains("--seq: expected 1"), printed.err);
        Printed huge =
                run("--model", LLAMA, "--micro-batch", "65536", "--seq", "16777216", "--gpus", "1");
        assertEquals(2, huge.exit);
        assertTrue(huge.err.contains("larger than 1 PiB"), huge.err);
        assertEquals(2, run("--gpus", "2").exit);
        assertEquals(2, run("--model", LLAMA, "--params", "7e9").exit);
        assertEquals(2, run("--model", folder.resolve("none.json").toString()).exit);
        Path bad = Files.writeString(folder.resolve("config.json"), "{\"model_type\": \"bloom\"}");
        Printed unknown = run("--model", bad.toString());
        assertEquals(2, unknown.exit);
        assertTrue(unknown.err.contains("how it computes is not known"), unknown.err);
    }

    @Test
    void learnedPositionsLimitTheSequence() throws IOException {
        Path gpt2 =
                Files.writeString(
                        folder.resolve("gpt2.json"),
                        "{\"model_type\":\"gpt2\",\"n_embd\":768,\"n_layer\":12,\"n_head\":12,"
                                + "\"vocab_size\":50257,\"n_positions\":1024}");
        Printed printed =
                run(
                        "--model",
                        gpt2.toString(),
                        "--gpus",
                        "1",
                        "--gpu-memory",
                        "80",
                        "--seq",
                        "2048");
        assertEquals(2, printed.exit);
        assertTrue(printed.err.contains("learned positions for 1024 tokens"), printed.err);
    }

    @Test
    void withoutGpusItSaysWhatIsMissing() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("machine"));
        Files.writeString(empty.resolve("recording.json"), "{\"gpuflow\": 1}");
        Printed printed = run("--model", LLAMA, "--machine", empty.toString());
        assertEquals(3, printed.exit, printed.err);
        assertTrue(printed.err.contains("say --gpus N and --gpu-memory GIB"), printed.err);
    }
}
