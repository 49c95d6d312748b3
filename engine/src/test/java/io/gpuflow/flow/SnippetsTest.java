package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.RuleBook;
import io.gpuflow.rules.ShippedRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * engine/samples/snippets/CAUSE.txt: what the software prints when that is the cause, in the forms
 * that launchers and log collectors give it; none.txt and unknown.txt must stay quiet and open.
 */
class SnippetsTest {
    private static final Path SNIPPETS =
            Path.of(System.getProperty("gpuflow.home", "."), "engine", "samples", "snippets");
    private static final String HEAD = "#--- ";
    private static final String ALSO = " | also: ";

    private final RuleBook rules = ShippedRules.load();

    @TempDir Path folder;

    @TestFactory
    List<DynamicTest> snippets() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(SNIPPETS)) {
            files = all.filter(f -> f.toString().endsWith(".txt")).sorted().toList();
        }
        List<DynamicTest> tests = new ArrayList<>();
        for (Path file : files) {
            String cause = file.getFileName().toString().replace(".txt", "");
            for (String part : ("\n" + Files.readString(file)).split("\n" + HEAD)) {
                if (!part.isBlank()) {
                    int end = part.indexOf('\n');
                    String title = part.substring(0, end);
                    String log = part.substring(end + 1) + "\n";
                    tests.add(test(cause, title, log));
                    if (!Noise.AROUND_CAUSES.contains(cause)) {
                        tests.add(test(cause, "among others: " + title, Noise.around(log)));
                    }
                }
            }
        }
        return tests;
    }

    private DynamicTest test(String cause, String title, String log) {
        return DynamicTest.dynamicTest(cause + ": " + title, () -> check(cause, title, log));
    }

    private void check(String cause, String title, String log) throws IOException {
        Path file = Files.writeString(folder.resolve("job.log"), log);
        Diagnosis d = Diagnosis.of(List.of(file), rules);
        Verdict root =
                d.verdicts().stream()
                        .filter(v -> v.role() == Verdict.Role.ROOT)
                        .findFirst()
                        .orElse(null);
        String said =
                root != null
                        ? root.cause()
                        : d.outcome() == Diagnosis.Outcome.HEALTHY ? "none" : "unknown";
        List<String> right = new ArrayList<>(List.of(cause));
        if (title.contains(ALSO)) {
            right.addAll(
                    List.of(title.substring(title.indexOf(ALSO) + ALSO.length()).split(", *")));
        }
        assertTrue(
                right.contains(said),
                () ->
                        "said "
                                + said
                                + (root == null ? "" : " [" + root.id() + "]")
                                + " of\n"
                                + log);
        if (root != null) {
            assertFalse(root.evidence().isEmpty());
            assertTrue(root.evidence().stream().allMatch(s -> s.line() > 0));
            assertFalse(root.fixes().isEmpty());
        }
    }
}
