package io.gpuflow.baseline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.BaselineFigure;
import io.gpuflow.facts.BaselineGpu;
import io.gpuflow.facts.Bench;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Host;
import io.gpuflow.facts.NvLinkState;
import io.gpuflow.facts.Observed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaselineTest {
    private static final String SAVED = "2026-11-20T08:00:00Z";

    @TempDir Path folder;

    @Test
    void whatIsReadIsWhatWasWritten() throws IOException {
        Baseline baseline = Figures.of(machine("a", "b"), SAVED, "the run x");
        BaselineFile.write(folder.resolve("b.json"), baseline);
        assertEquals(baseline, BaselineFile.read(folder.resolve("b.json")).baseline());
    }

    @Test
    void nothingPrivateIsKept() throws IOException {
        Baseline baseline = Figures.of(machine("GPU-secret-1", "GPU-secret-2"), SAVED, "x");
        String text = BaselineFile.text(baseline);
        assertFalse(text.contains("secret") || text.contains("node-17"), text);
    }

    @Test
    void eachFactNamesItsLine() throws IOException {
        Path file = folder.resolve("b.json");
        BaselineFile.write(file, Figures.of(machine("a", "b"), SAVED, "x"));
        List<String> lines = Files.readAllLines(file);
        for (Observed o : BaselineFacts.of(BaselineFile.read(file), machine("a", "b"))) {
            if (o.fact() instanceof BaselineFigure f) {
                assertTrue(lines.get(o.source().line() - 1).contains(f.figure()), o.toString());
            }
        }
    }

    @Test
    void aSwappedCardIsNoticed() throws IOException {
        assertEquals(List.of("same", "other"), states(machine("a", "b"), machine("a", "z")));
    }

    @Test
    void cardsThatOnlyChangedPlacesAreNotSwapped() throws IOException {
        assertEquals(List.of("moved", "moved"), states(machine("a", "b"), machine("b", "a")));
    }

    @Test
    void aCardWhosePlaceAnotherOfThemTookIsGone() throws IOException {
        assertEquals(List.of("gone", "moved"), states(machine("a", "b"), machine("b")));
    }

    @Test
    void withoutUuidsNothingIsSaidOfCards() throws IOException {
        assertEquals(List.of("null", "null"), states(machine("a", "b"), machine("", null)));
    }

    @Test
    void figuresFollowTheirCard() throws IOException {
        List<Fact> was = machine("a", "b");
        was.add(new NvLinkState(1, 18, 0, 25.0));
        Path file = folder.resolve("b.json");
        BaselineFile.write(file, Figures.of(was, SAVED, "x"));
        List<Fact> figures =
                BaselineFacts.of(BaselineFile.read(file), machine("b", "a")).stream()
                        .map(Observed::fact)
                        .filter(
                                f ->
                                        f instanceof BaselineFigure b
                                                && b.figure().equals("nvlinks_up"))
                        .toList();
        assertEquals(
                List.of(new BaselineFigure("nvlinks_up", 0, 18.0, null, "2026-11-20")), figures);
    }

    @Test
    void aMachineFindsItsOwnAmongMany() throws IOException {
        BaselineFolder all = new BaselineFolder(folder.resolve("baselines"));
        List<Fact> elsewhere = machine("a", "b");
        elsewhere.set(0, new Host("node-18", "6.8", null, 8, 2, 1, 1L << 38));
        for (List<Fact> m : List.of(elsewhere, machine("c", "d"))) {
            BaselineFile.write(all.place(m), Figures.of(m, SAVED, "x"));
        }
        assertEquals(2, all.all().size());
        Baseline found = all.of(machine("q", "d")).baseline();
        assertEquals(Figures.of(machine("c", "d"), SAVED, "x").gpus(), found.gpus());
        assertNull(all.of(List.of(gpu(0, "q"), new Host("other", null, null, 1, 1, 1, 1L))));
    }

    @Test
    void savingAgainReplacesThoughACardWasSwapped() throws IOException {
        BaselineFolder all = new BaselineFolder(folder.resolve("baselines"));
        BaselineFile.write(all.place(machine("a", "b")), Figures.of(machine("a", "b"), SAVED, "x"));
        BaselineFile.write(all.place(machine("a", "z")), Figures.of(machine("a", "z"), SAVED, "y"));
        assertEquals(1, all.all().size());
    }

    @Test
    void onlyRightAndCompleteBenchmarksAreKept() {
        List<Fact> facts = machine("a", "b");
        facts.add(bench("all_reduce", 0L, true));
        facts.add(bench("all_gather", 3L, true));
        facts.add(bench("broadcast", 0L, false));
        assertEquals(
                "all_reduce",
                Figures.of(facts, SAVED, "x").benches().stream()
                        .map(b -> b.op())
                        .collect(Collectors.joining(",")));
    }

    @Test
    void whatIsNoBaselineIsRefusedWithItsPlace() throws IOException {
        Path file = folder.resolve("b.json");
        for (String bad : List.of("", "[]", "{", "{\"saved\": 1}", "{\"gpuflow_baseline\": 2}")) {
            Files.writeString(file, bad);
            assertThrows(BaselineFile.Invalid.class, () -> BaselineFile.read(file), bad);
        }
        Files.writeString(file, "{\"gpuflow_baseline\": 1,\n\"gpus\": [\n{\"index\": \"x\"}]}");
        String said =
                assertThrows(BaselineFile.Invalid.class, () -> BaselineFile.read(file))
                        .getMessage();
        assertTrue(said.startsWith(file + ":3:"), said);
    }

    @Test
    void damagedFilesNeverThrowAnythingElse() throws IOException {
        Path file = folder.resolve("b.json");
        BaselineFile.write(file, Figures.of(machine("a", "b"), SAVED, "x"));
        byte[] whole = Files.readAllBytes(file);
        Random random = new Random(5);
        for (int i = 0; i < 500; i++) {
            byte[] damaged = whole.clone();
            for (int n = 0; n < 3; n++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            Files.write(file, damaged);
            try {
                BaselineFacts.of(BaselineFile.read(file), machine("a", "b"));
            } catch (IOException told) {
                assertTrue(told.getMessage().startsWith(file.toString()), told.getMessage());
            }
        }
    }

    private List<String> states(List<Fact> was, List<Fact> now) throws IOException {
        Path file = folder.resolve("states.json");
        BaselineFile.write(file, Figures.of(was, SAVED, "x"));
        return BaselineFacts.of(BaselineFile.read(file), now).stream()
                .map(Observed::fact)
                .filter(BaselineGpu.class::isInstance)
                .map(f -> String.valueOf(((BaselineGpu) f).state()))
                .toList();
    }

    private static List<Fact> machine(String... uuids) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Host("node-17", "6.8", null, 8, 2, 1, 1L << 38));
        for (int i = 0; i < uuids.length; i++) {
            facts.add(gpu(i, uuids[i]));
        }
        return facts;
    }

    private static Gpu gpu(int index, String uuid) {
        return new Gpu(index, "nvidia", "NVIDIA H200", uuid, null, 1L << 37, "9.0", null);
    }

    private static Bench bench(String op, long wrong, boolean completed) {
        return new Bench(
                "nccl-tests", op, 2, 340.0, 100.0, 339.0, 1L << 31, wrong, "P2P", completed);
    }
}
