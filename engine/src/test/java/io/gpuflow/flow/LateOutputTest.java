package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.gpuflow.rules.RuleBook;
import io.gpuflow.rules.ShippedRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps that stand below an end, because streams or ranks were joined, make no job healthy. */
class LateOutputTest {
    private static final Path LOGS =
            Path.of(System.getProperty("gpuflow.home", "."), "engine", "samples", "logs");
    private static final Predicate<String> STEP =
            Pattern.compile("\\] step \\d|warmup").asPredicate();

    private final RuleBook rules = ShippedRules.load();

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"stop", "skip", "slow_cpu", "oom", "raise"})
    void standardOutputBelowStandardError(String name) throws IOException {
        check(name, STEP.negate());
    }

    @ParameterizedTest
    @ValueSource(strings = {"stop", "skip", "slow_cpu"})
    void oneRankBelowTheOther(String name) throws IOException {
        check(name, line -> !line.contains("rank1]") && !line.contains("rank 1]"));
    }

    private void check(String name, Predicate<String> above) throws IOException {
        List<String> lines = Files.readAllLines(LOGS.resolve("h200x2--" + name + ".log"));
        List<String> joined = new ArrayList<>(lines.stream().filter(above).toList());
        joined.addAll(lines.stream().filter(above.negate()).toList());
        Path log = Files.write(folder.resolve("job.log"), joined);
        assertNotEquals(Diagnosis.Outcome.HEALTHY, Diagnosis.of(List.of(log), rules).outcome());
    }
}
