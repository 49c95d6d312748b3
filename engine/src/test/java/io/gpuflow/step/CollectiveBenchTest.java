package io.gpuflow.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Bench;
import io.gpuflow.facts.BenchRow;
import io.gpuflow.facts.BusCeiling;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.GpuPair;
import io.gpuflow.facts.LinkClass;
import io.gpuflow.facts.NvLinkState;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.PcieLink;
import io.gpuflow.facts.Software;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.ToolFailure;
import io.gpuflow.facts.Topology;
import io.gpuflow.facts.Torch;
import io.gpuflow.facts.Transport;
import io.gpuflow.facts.Unknown;
import io.gpuflow.flow.Action;
import io.gpuflow.flow.State;
import io.gpuflow.tool.LiveTools;
import io.gpuflow.tool.OutputLines;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The benchmark step over a stand-in for nccl-tests, and over real torch on the CPU. */
class CollectiveBenchTest {
    private static final long GIB = 1L << 30;

    @TempDir Path folder;
    private final LiveTools tools = new LiveTools(null);
    private final List<Fact> facts = new ArrayList<>();
    private final Map<String, Object> with = new HashMap<>();
    private final Map<String, String> env = new HashMap<>();
    private Path attempt;
    private Path checkout;

    @BeforeEach
    void twoGpus() throws IOException {
        attempt = Files.createDirectory(folder.resolve("1"));
        checkout = Files.createDirectory(folder.resolve("checkout"));
        facts.add(new Topology(LinkClass.NVSWITCH_ALL_TO_ALL, 2, List.of(List.of(0, 1))));
        facts.add(new GpuPair(0, 1, "NV18", 18, null));
        for (int i = 0; i < 2; i++) {
            facts.add(new Gpu(i, "nvidia", "NVIDIA H200", null, null, 140 * GIB, "9.0", null));
            facts.add(new NvLinkState(i, 18, 0, 26.562));
            facts.add(new PcieLink(i, 5, 5, 16, 16));
        }
    }

    @AfterEach
    void close() {
        tools.close();
    }

    /** Puts the stand-in into the checkout's build folder. */
    private void built(String op) throws IOException {
        Path build = Files.createDirectories(checkout.resolve("build"));
        Path program = build.resolve(op + "_perf");
        try (InputStream in = CollectiveBenchTest.class.getResourceAsStream("fake_perf.sh")) {
            Files.copy(in, program);
        }
        assertTrue(program.toFile().setExecutable(true));
        with.put("checkout", checkout.toString());
        with.put("op", op);
    }

    private Action.Outcome run() throws InterruptedException {
        return run((stderr, text) -> {});
    }

    private Action.Outcome run(OutputLines lines) throws InterruptedException {
        List<Observed> observed =
                facts.stream().map(f -> new Observed(f, Source.of("test"))).toList();
        Duration limit = Duration.ofSeconds(120);
        return new CollectiveBench()
                .run(
                        new Action.Context(
                                "bench",
                                new NoTorchrun(tools),
                                with,
                                env,
                                observed,
                                attempt,
                                limit,
                                lines));
    }

    private static <T extends Fact> List<T> all(Action.Outcome outcome, Class<T> type) {
        return KnownFacts.of(outcome.facts()).all(type);
    }

    private static Bench bench(Action.Outcome outcome) {
        Bench bench = KnownFacts.of(outcome.facts()).last(Bench.class);
        assertNotNull(bench, outcome.reason());
        return bench;
    }

    @Test
    void aBuiltCheckoutIsRunAndComparedWithTheLinks() throws Exception {
        built("all_reduce");
        Action.Outcome outcome = run();
        assertEquals(State.PASSED, outcome.state(), outcome.reason());
        Bench bench = bench(outcome);
        assertEquals("nccl-tests", bench.tool());
        assertEquals("all_reduce", bench.op());
        assertEquals(2, bench.ranks());
        assertEquals(2 * GIB, bench.largeBytes());
        assertEquals(339.4, bench.largeBusbwGbps(), 0.1);
        assertEquals(0, bench.wrong());
        assertEquals("P2P", bench.transport());
        assertEquals(58, all(outcome, BenchRow.class).size());
        BusCeiling ceiling = all(outcome, BusCeiling.class).get(0);
        assertEquals(450, ceiling.gbps());
        assertTrue(outcome.reason().contains("339 GB/s at 2 GiB"), outcome.reason());
        assertTrue(
                outcome.reason().contains("75 % of the 450 GB/s that the links allow"),
                outcome.reason());
        assertTrue(outcome.reason().contains("no wrong element"), outcome.reason());
    }

    @Test
    void anotherTransportThanTheBestGetsACeilingOfItsOwn() throws Exception {
        built("all_reduce");
        env.put("VIA", "SHM/direct/direct");
        env.put("BUSBW", "27.5");
        env.put("NCCL_P2P_DISABLE", "1");
        Action.Outcome outcome = run();
        assertEquals("SHM", bench(outcome).transport());
        List<BusCeiling> ceilings = all(outcome, BusCeiling.class);
        assertEquals(List.of("P2P", "SHM"), ceilings.stream().map(BusCeiling::transport).toList());
        assertTrue(outcome.reason().contains("6 % of the 450 GB/s"), outcome.reason());
        assertTrue(outcome.reason().contains("63.0 GB/s that SHM allows"), outcome.reason());
    }

    @Test
    void wrongElementsFail() throws Exception {
        built("all_gather");
        env.put("FAKE", "wrong");
        Action.Outcome outcome = run();
        assertEquals(State.FAILED, outcome.state());
        assertEquals(10, bench(outcome).wrong());
        assertTrue(outcome.reason().startsWith("10 elements came out wrong"), outcome.reason());
    }

    @Test
    void aToolThatFailsSaysWhat() throws Exception {
        built("all_reduce");
        env.put("FAKE", "crash");
        Action.Outcome outcome = run();
        assertEquals(State.BROKEN, outcome.state());
        assertTrue(outcome.reason().contains("unhandled cuda error"), outcome.reason());
        ToolFailure failure = all(outcome, ToolFailure.class).get(0);
        assertEquals("exit", failure.kind());
        assertEquals(3, failure.exit());
        assertEquals(2, all(outcome, Transport.class).size(), "NCCL's log is read all the same");
    }

    @Test
    void aHangIsEndedAndItsProcessesAreDescribed() throws Exception {
        built("all_reduce");
        env.put("FAKE", "hang");
        long[] seen = {0};
        OutputLines lines =
                new OutputLines() {
                    @Override
                    public void line(boolean stderr, String text) {
                        if (text.contains("out-of-place")) {
                            seen[0] = System.nanoTime();
                        }
                    }

                    @Override
                    public String giveUp() {
                        boolean enough = seen[0] != 0 && System.nanoTime() - seen[0] > 500_000_000L;
                        return enough ? "printed nothing more" : null;
                    }
                };
        Action.Outcome outcome = run(lines);
        assertEquals(State.BROKEN, outcome.state());
        assertEquals("timeout", all(outcome, ToolFailure.class).get(0).kind());
        String others = Files.readString(attempt.resolve("evidence/proc-others.txt"));
        assertTrue(others.contains("(sleep) S "), others);
    }

    @Test
    void theNcclOfAWheelIsUsedWhenTheLoaderFindsNone() throws Exception {
        built("all_reduce");
        env.put("FAKE", "nolib");
        Action.Outcome without = run();
        assertEquals(State.BROKEN, without.state());
        assertTrue(without.reason().contains("libnccl.so.2"), without.reason());
        String library = "/opt/venv/wheel/nvidia/nccl/lib/libnccl.so.2";
        facts.add(new Software("nccl", "2.28.9", library));
        assertEquals(State.PASSED, run().state());
    }

    @Test
    void aCheckoutThatIsNotBuiltIsBuiltInACopy() throws Exception {
        built("all_reduce");
        Path program = checkout.resolve("build/all_reduce_perf");
        Files.move(program, checkout.resolve("perf.sh"));
        Files.delete(checkout.resolve("build"));
        Path cuda = Files.createDirectories(folder.resolve("cuda/bin"));
        Files.createFile(cuda.resolve("nvcc"));
        Files.createDirectories(folder.resolve("cuda/include"));
        Files.createFile(folder.resolve("cuda/include/nccl.h"));
        Files.writeString(
                checkout.resolve("Makefile"),
                "all:\n\tmkdir -p build\n\tcp perf.sh build/all_reduce_perf\n"
                        + "\techo '$(MPI) $(CUDA_HOME) $(NVCC_GENCODE)' > build/how\n");
        Passing withCuda =
                new Passing(tools) {
                    @Override
                    public Map<String, String> environment() {
                        return Map.of("CUDA_HOME", folder.resolve("cuda").toString());
                    }
                };
        List<Observed> observed =
                facts.stream().map(f -> new Observed(f, Source.of("test"))).toList();
        Action.Context context =
                new Action.Context(
                        "bench",
                        withCuda,
                        with,
                        env,
                        observed,
                        attempt,
                        Duration.ofSeconds(60),
                        (stderr, text) -> {});
        Action.Outcome outcome = new CollectiveBench().run(context);
        assertEquals(State.PASSED, outcome.state(), outcome.reason());
        assertEquals(
                "0 " + folder.resolve("cuda") + " -gencode=arch=compute_90,code=sm_90\n",
                Files.readString(folder.resolve("nccl-tests/build/how")));
        assertFalse(Files.exists(checkout.resolve("build")), "the checkout itself is untouched");
    }

    @Test
    void oneGpuHasNothingToMeasure() throws Exception {
        facts.add(torch(1, RealTorchAbsent.PYTHON));
        Action.Outcome outcome = run();
        assertEquals(State.UNKNOWN, outcome.state());
        assertEquals(1, all(outcome, Unknown.class).size());
    }

    /** A name for a Python that no test starts. */
    private static final class RealTorchAbsent {
        static final String PYTHON = "/no/such/python3";
    }

    private static Torch torch(int gpus, String python) {
        return new Torch("2.11.0", "13.0", null, gpus, true, true, "2.28.9", true, null, python);
    }

    @ParameterizedTest
    @ValueSource(strings = {"all_reduce", "all_gather", "sendrecv"})
    void withoutNcclTestsTorchMeasuresTheSame(String op) throws Exception {
        facts.add(RealTorch.onCpu());
        with.put("op", op);
        with.put("from", "1K");
        with.put("to", "4K");
        Action.Outcome outcome = run();
        assertEquals(State.PASSED, outcome.state(), outcome.reason());
        Bench bench = bench(outcome);
        assertEquals("torch", bench.tool());
        assertEquals(op, bench.op());
        assertEquals(2, bench.ranks());
        assertEquals(4096, bench.largeBytes());
        assertEquals(0, bench.wrong());
        assertNull(bench.transport());
        for (BenchRow row : all(outcome, BenchRow.class)) {
            double algbw = row.bytes() / row.timeUs() / 1e3;
            assertEquals(algbw, row.algbwGbps(), 0.01 * algbw + 1e-4);
            double busbw = row.algbwGbps() * BusFactor.of(op, 2);
            assertEquals(busbw, row.busbwGbps(), 0.01 * busbw + 1e-4);
        }
    }

    @Test
    void torchCountsWrongElements() throws Exception {
        facts.add(RealTorch.onCpu());
        with.put("from", "2K");
        with.put("to", "4K");
        Planted planted =
                new Planted(
                        new NoTorchrun(tools),
                        Scripts.BENCH,
                        "        return int((self.output",
                        "        self.output[:2] += 1 + self.rank\n        return int((self.output");
        List<Observed> observed =
                facts.stream().map(f -> new Observed(f, Source.of("test"))).toList();
        Action.Context context =
                new Action.Context(
                        "bench",
                        planted,
                        with,
                        env,
                        observed,
                        attempt,
                        Duration.ofSeconds(120),
                        (stderr, text) -> {});
        Action.Outcome outcome = new CollectiveBench().run(context);
        assertEquals(State.FAILED, outcome.state(), outcome.reason());
        long rows = all(outcome, BenchRow.class).size();
        assertEquals(4 * rows, bench(outcome).wrong());
    }

    @ParameterizedTest
    @ValueSource(strings = {"all_reduce; rm -rf /", "allreduce", "hypercube"})
    void anUnknownCollectiveIsRefused(String op) throws Exception {
        with.put("op", op);
        Action.Outcome outcome = run();
        assertEquals(State.BROKEN, outcome.state());
        assertTrue(outcome.reason().startsWith("no collective named"), outcome.reason());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2X", "-1", "0", "", "99999999T", "8 M"})
    void aSizeThatIsNoneIsRefused(String size) throws Exception {
        if (size.isEmpty()) {
            return; // not given: the default
        }
        with.put("to", size);
        Action.Outcome outcome = run();
        assertEquals(State.BROKEN, outcome.state());
        assertTrue(outcome.reason().contains(size), outcome.reason());
    }

    @Test
    void messagesFitTheSmallestGpu() throws Exception {
        facts.add(new Gpu(2, "nvidia", "NVIDIA T4", null, null, 4 * GIB, "7.5", null));
        MessageSizes sizes = MessageSizes.of("8", "2G", KnownFacts.ofFacts(facts));
        assertEquals(GIB, sizes.to());
        assertEquals("1G", MessageSizes.words(sizes.to()));
        assertEquals("8", MessageSizes.words(sizes.from()));
    }
}
