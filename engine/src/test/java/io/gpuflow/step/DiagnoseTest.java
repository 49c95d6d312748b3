package io.gpuflow.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.EvidenceFile;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Verdict;
import io.gpuflow.flow.Action;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.tool.LiveTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a hung step kept is judged in the run, whatever form it has. */
class DiagnoseTest {
    private static final Path FAULTS =
            Path.of(
                    System.getProperty("gpuflow.home", "."),
                    "engine",
                    "samples",
                    "planted",
                    "h200x2");

    @TempDir Path folder;

    @Test
    void dumpsRasAndProcessesOfAHangAreJudged() throws Exception {
        Action.Outcome outcome = diagnose("stopped");
        assertEquals(0, outcome.out().get("unread"), outcome.reason());
        Verdict root = root(outcome);
        assertEquals("rank-stopped", root.cause(), root.says());
        assertEquals(List.of(1), root.ranks());
    }

    @Test
    void dumpsTellWhichRankIsMissing() throws Exception {
        Action.Outcome outcome = diagnose("skip");
        assertEquals(0, outcome.out().get("unread"), outcome.reason());
        assertTrue(root(outcome).ranks().contains(1), root(outcome).says());
    }

    private static Verdict root(Action.Outcome outcome) {
        return ShippedRules.load().judge(outcome.facts(), Set.of()).verdicts().stream()
                .filter(v -> v.role() == Verdict.Role.ROOT)
                .findFirst()
                .orElseThrow();
    }

    private Action.Outcome diagnose(String fault) throws IOException, InterruptedException {
        List<Observed> kept;
        try (Stream<Path> files = Files.walk(FAULTS.resolve(fault))) {
            kept =
                    files.filter(Files::isRegularFile)
                            .filter(f -> !f.endsWith("case.yaml"))
                            .map(f -> f.toAbsolutePath().toString())
                            .map(f -> new EvidenceFile("smoke", "log", null, f))
                            .map(f -> new Observed(f, Source.of(f.path())))
                            .toList();
        }
        try (LiveTools tools = new LiveTools(null)) {
            return new Diagnose()
                    .run(
                            new Action.Context(
                                    "diagnose",
                                    tools,
                                    Map.of(),
                                    Map.of(),
                                    kept,
                                    folder,
                                    Duration.ofSeconds(60),
                                    null));
        }
    }
}
