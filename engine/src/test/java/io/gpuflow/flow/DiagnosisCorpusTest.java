package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The share of right answers on public reports and planted faults, when they are beside the clone.
 */
class DiagnosisCorpusTest {
    private static final Path SHARED =
            Path.of(System.getProperty("gpuflow.home", ".")).resolveSibling("shared");

    @Test
    void publicReports() throws IOException {
        CorpusScore score = score("cases/diagnosis");
        assertTrue(share(score, "main") >= 0.95, score.misses()::toString);
        assertEquals(count(score, "healthy"), count(score, "healthy right"), "false alarms");
        assertEquals(0, count(score, "must_not"), score.misses()::toString);
        assertEquals(0, count(score, "no evidence or fix"));
    }

    @Test
    void plantedFaultsOnTwoCpuRanks() throws IOException {
        CorpusScore score = score("cases/gloo-cpu");
        assertTrue(share(score, "main") >= 0.95, score.misses()::toString);
        assertTrue(share(score, "rank") >= 0.95, score.misses()::toString);
    }

    private static CorpusScore score(String folder) throws IOException {
        Path cases = SHARED.resolve(folder);
        assumeTrue(Files.isDirectory(cases), () -> cases + " is not here");
        CorpusScore score = new CorpusScore();
        score.all(cases);
        return score;
    }

    private static double share(CorpusScore score, String group) {
        return (double) count(score, group + " right") / count(score, group);
    }

    private static int count(CorpusScore score, String name) {
        return score.counts().getOrDefault(name, 0);
    }
}
