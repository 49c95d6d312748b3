package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.RuleBook;
import io.gpuflow.rules.ShippedRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every samples/logs/NAME.log and .expect: the cause, the ranks and the words. */
class DiagnosisSamplesTest {
    private static final Path LOGS =
            Path.of(System.getProperty("gpuflow.home", "."), "engine", "samples", "logs");

    private final RuleBook rules = ShippedRules.load();

    @TestFactory
    Stream<DynamicTest> samples() throws IOException {
        List<Path> logs;
        try (Stream<Path> files = Files.list(LOGS)) {
            logs = files.filter(f -> f.toString().endsWith(".log")).sorted().toList();
        }
        assertFalse(logs.isEmpty());
        return logs.stream()
                .map(log -> DynamicTest.dynamicTest(log.getFileName().toString(), () -> one(log)));
    }

    private void one(Path log) throws IOException {
        Path expect = Path.of(log.toString().replaceFirst("\\.log$", ".expect"));
        String said = words(Diagnosis.of(List.of(log), rules));
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(expect, said);
        }
        assertEquals(Files.readString(expect), said);
    }

    private static String words(Diagnosis d) {
        StringBuilder text = new StringBuilder("outcome: " + d.outcome() + "\n");
        for (Verdict v : d.verdicts()) {
            text.append(v.role())
                    .append(' ')
                    .append(v.cause() == null ? v.id() : v.cause())
                    .append(" ranks ")
                    .append(v.ranks())
                    .append(": ")
                    .append(v.says())
                    .append('\n');
        }
        return text.toString();
    }
}
