package io.gpuflow.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.GpuPair;
import io.gpuflow.facts.KernelEvent;
import io.gpuflow.facts.Known;
import io.gpuflow.facts.Nic;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Topology;
import io.gpuflow.facts.Torch;
import io.gpuflow.facts.Unknown;
import io.gpuflow.tool.FileResult;
import io.gpuflow.tool.ToolResult;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Each source may be missing, restricted, hang or talk nonsense: then it is unknown, and why. */
class SurveyTest {
    /** What no machine may be said to have when nobody said so. */
    private static final List<Class<? extends Fact>> INVENTED =
            List.of(
                    Gpu.class,
                    Topology.class,
                    GpuPair.class,
                    Nic.class,
                    Torch.class,
                    KernelEvent.class);

    @Test
    void nothingIsInstalled() throws InterruptedException {
        List<Observed> facts = ask(new FakeTools());
        assertTold(facts, "not installed");
        assertNothingInvented(facts);
        assertTrue(unknown(facts, "Gpu").contains("nvidia-smi is not installed"));
        assertTrue(unknown(facts, "Gpu").contains("amd-smi is not installed"));
        assertTrue(unknown(facts, "Torch").contains("GPUFLOW_PYTHON"));
    }

    @Test
    void everythingIsDenied() throws InterruptedException {
        FakeTools tools =
                new FakeTools()
                        .others(
                                call ->
                                        FakeTools.result(
                                                call,
                                                ToolResult.Outcome.EXITED,
                                                1,
                                                "",
                                                call.argv().get(0) + ": Permission denied\n",
                                                null))
                        .otherFiles(path -> new FileResult(path, null, "permission denied", false))
                        .globsUnknown("permission denied");
        List<Observed> facts = ask(tools);
        assertTold(facts, "ermission denied");
        assertNothingInvented(facts);
        assertFalse(facts.stream().anyMatch(o -> o.fact() instanceof Known), facts.toString());
    }

    @Test
    void everythingHangs() throws InterruptedException {
        FakeTools tools =
                new FakeTools().others(FakeTools::timedOut).globsUnknown("gave no answer");
        List<Observed> facts = ask(tools);
        assertTold(facts, "did not finish within");
        assertNothingInvented(facts);
        long smi = tools.asked.stream().filter(a -> a.startsWith("nvidia-smi")).count();
        assertEquals(1, smi, "a stuck driver is asked once: " + tools.asked);
    }

    @Test
    void everythingTalksNonsense() throws InterruptedException {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            FakeTools tools =
                    new FakeTools()
                            .others(
                                    call ->
                                            FakeTools.result(
                                                    call,
                                                    ToolResult.Outcome.EXITED,
                                                    0,
                                                    nonsense(random),
                                                    nonsense(random),
                                                    null))
                            .otherFiles(
                                    path -> new FileResult(path, nonsense(random), null, false));
            List<Observed> facts = ask(tools);
            for (String what : List.of("Gpu", "Topology", "Torch", "PcieAcs")) {
                assertFalse(unknown(facts, what).isEmpty(), seed + ": " + facts);
            }
            assertReasons(facts);
        }
    }

    @Test
    void toolsThatThrowAreUnknownToo() throws InterruptedException {
        FakeTools tools =
                new FakeTools()
                        .others(
                                call -> {
                                    throw new IllegalStateException("broken");
                                })
                        .otherFiles(
                                path -> {
                                    throw new IllegalStateException("broken");
                                });
        List<Observed> facts = ask(tools);
        assertNothingInvented(facts);
        assertTrue(unknown(facts, "Gpu").contains("gpuflow failed"), facts.toString());
    }

    @Test
    void eachQuestionIsTold() throws InterruptedException {
        List<String> told = new ArrayList<>();
        new Survey()
                .ask(
                        new FakeTools(),
                        (stderr, text) -> {
                            synchronized (told) {
                                told.add(text);
                            }
                        });
        assertTrue(told.contains("asking nvidia-smi -L"), told.toString());
        assertTrue(told.stream().noneMatch(t -> t.contains("\n")), told.toString());
    }

    @Test
    void thisMachineIsAskedWithoutCrash() throws InterruptedException {
        try (var live = new io.gpuflow.tool.LiveTools(null)) {
            List<Observed> facts = ask(live);
            assertReasons(facts);
            assertFalse(
                    facts.stream().anyMatch(o -> text(o).contains("gpuflow failed")),
                    facts.toString());
            assertTrue(facts.stream().anyMatch(o -> o.fact() instanceof io.gpuflow.facts.Host));
        }
    }

    static List<Observed> ask(Tools tools) throws InterruptedException {
        return new Survey().ask(tools, (stderr, text) -> {});
    }

    /** Every fact type that a probe brings is unknown, and some reason says this. */
    private static void assertTold(List<Observed> facts, String reason) {
        TreeSet<String> missing = new TreeSet<>();
        for (Probe probe : Probes.all()) {
            for (Class<? extends Fact> type : probe.brings()) {
                boolean told = facts.stream().anyMatch(o -> type.isInstance(o.fact()));
                boolean known =
                        facts.stream()
                                .anyMatch(
                                        o ->
                                                o.fact() instanceof Known k
                                                        && k.what().equals(type.getSimpleName()));
                if (!told && !known && unknown(facts, type.getSimpleName()).isEmpty()) {
                    missing.add(probe.name() + ": " + type.getSimpleName());
                }
            }
        }
        assertEquals(new TreeSet<>(), missing);
        assertTrue(facts.stream().anyMatch(o -> text(o).contains(reason)), facts.toString());
        assertReasons(facts);
    }

    private static void assertReasons(List<Observed> facts) {
        for (Observed o : facts) {
            if (o.fact() instanceof Unknown u) {
                assertFalse(
                        u.why() == null || u.why().isBlank() || u.why().contains("null"),
                        o.toString());
                assertFalse(o.source().text().isBlank(), o.toString());
            }
        }
    }

    private static void assertNothingInvented(List<Observed> facts) {
        for (Class<? extends Fact> type : INVENTED) {
            assertFalse(
                    facts.stream().anyMatch(o -> type.isInstance(o.fact())), type + " in " + facts);
        }
    }

    static String unknown(List<Observed> facts, String what) {
        return facts.stream()
                .filter(o -> o.fact() instanceof Unknown u && u.what().equals(what))
                .map(SurveyTest::text)
                .findFirst()
                .orElse("");
    }

    private static String text(Observed observed) {
        return observed.fact() instanceof Unknown u ? u.why() : observed.fact().toString();
    }

    private static String nonsense(Random random) {
        synchronized (random) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(3000);
            for (int i = 0; i < length; i++) {
                text.append((char) (random.nextInt(12) == 0 ? '\n' : random.nextInt(256)));
            }
            return text.toString();
        }
    }
}
