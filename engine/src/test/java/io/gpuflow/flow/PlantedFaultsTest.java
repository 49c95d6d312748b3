package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.RuleBook;
import io.gpuflow.rules.ShippedRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.yaml.snakeyaml.Yaml;

/** Faults planted in a real job on two GPUs: the first root is the planted cause, on its rank. */
class PlantedFaultsTest {
    private static final Path FAULTS =
            Path.of(
                    System.getProperty("gpuflow.home", "."),
                    "engine",
                    "samples",
                    "planted",
                    "h200x2");

    /**
     * No evidence tells: all ranks issued the same calls and none completed, whether a kernel never
     * ends or the path between them is broken.
     */
    private static final Set<String> CANNOT_BE_TOLD = Set.of("endless_kernel");

    private final RuleBook rules = ShippedRules.load();

    @TestFactory
    Stream<DynamicTest> planted() throws IOException {
        List<Path> cases;
        try (Stream<Path> folders = Files.list(FAULTS)) {
            cases = folders.filter(Files::isDirectory).sorted().toList();
        }
        assertFalse(cases.isEmpty());
        return cases.stream()
                .map(c -> DynamicTest.dynamicTest(c.getFileName().toString(), () -> one(c)));
    }

    private void one(Path folder) throws IOException {
        Map<?, ?> yaml = new Yaml().load(Files.readString(folder.resolve("case.yaml")));
        Map<?, ?> expect = (Map<?, ?>) yaml.get("expect");
        Diagnosis d = Diagnosis.of(evidence(folder, Set.of("case.yaml")), rules);
        if (CANNOT_BE_TOLD.contains(folder.getFileName().toString())) {
            assertEquals(Diagnosis.Outcome.UNKNOWN, d.outcome());
            return;
        }
        if (expect.get("cause").equals("none")) {
            assertEquals(Diagnosis.Outcome.HEALTHY, d.outcome());
            return;
        }
        Verdict root = root(d);
        boolean right =
                expect.get("cause").equals(root.cause())
                        || expect.get("also_ok") instanceof List<?> also
                                && also.contains(root.cause());
        assertTrue(right, () -> "said " + root.cause() + ": " + root.says());
        assertFalse(root.evidence().isEmpty());
        assertFalse(root.fixes().isEmpty());
        if (expect.get("rank") != null) {
            assertEquals(List.of(expect.get("rank")), known(root, expect));
        }
    }

    /** Of a ring every rank is told: none of them waits less than the other. */
    private static List<?> known(Verdict root, Map<?, ?> expect) {
        return root.id().endsWith("dump-ring") && root.ranks().contains(expect.get("rank"))
                ? List.of(expect.get("rank"))
                : root.ranks();
    }

    private static Verdict root(Diagnosis d) {
        return d.verdicts().stream()
                .filter(v -> v.role() == Verdict.Role.ROOT)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no root: " + d.verdicts()));
    }

    /** No answer alone tells that a rank has ended. */
    @Test
    void withoutProcessStatesNobodyIsSaidToHaveExited() throws IOException {
        Path folder = FAULTS.resolve("stopped");
        Diagnosis d = Diagnosis.of(evidence(folder, Set.of("case.yaml", "proc.txt")), rules);
        assertFalse(
                d.verdicts().stream()
                        .anyMatch(
                                v ->
                                        v.role() == Verdict.Role.ROOT
                                                && "rank-exited-early".equals(v.cause())));
    }

    private static List<Path> evidence(Path folder, Set<String> without) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(f -> !without.contains(f.getFileName().toString()))
                    .sorted()
                    .toList();
        }
    }
}
