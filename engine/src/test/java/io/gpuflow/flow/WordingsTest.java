package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.RuleBook;
import io.gpuflow.rules.ShippedRules;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** Each cause in the words of the software that shows it: diagnosis/wordings.yaml. */
class WordingsTest {
    private final RuleBook rules = ShippedRules.load();

    @TempDir Path folder;

    @TestFactory
    List<DynamicTest> wordings() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        try (InputStream in = getClass().getResourceAsStream("/diagnosis/wordings.yaml")) {
            List<Map<String, Object>> all = new Yaml().load(in);
            for (int i = 0; i < all.size(); i++) {
                Map<String, Object> one = all.get(i);
                String name = (i + 1) + " " + one.get("cause");
                tests.add(DynamicTest.dynamicTest(name, () -> check(one, log(one))));
                if (!Noise.AROUND_CAUSES.contains(String.valueOf(one.get("cause")))) {
                    tests.add(
                            DynamicTest.dynamicTest(
                                    name + " among others",
                                    () -> check(one, Noise.around(log(one)))));
                }
            }
        }
        return tests;
    }

    private static String log(Map<String, Object> one) {
        return one.get("log").toString();
    }

    private void check(Map<String, Object> one, String text) throws IOException {
        Path log = Files.writeString(folder.resolve("job.log"), text);
        Diagnosis d = Diagnosis.of(List.of(log), rules);
        List<?> causes = one.get("cause") instanceof List<?> l ? l : List.of(one.get("cause"));
        Verdict root =
                d.verdicts().stream()
                        .filter(v -> v.role() == Verdict.Role.ROOT)
                        .findFirst()
                        .orElse(null);
        String said = root == null ? String.valueOf(d.outcome()) : root.cause();
        String wanted = causes.contains("none") ? "HEALTHY" : null;
        assertTrue(
                wanted == null ? causes.contains(said) : wanted.equals(said),
                () -> "said " + said + " of\n" + one.get("log"));
        if (root != null) {
            assertFalse(root.evidence().isEmpty());
            assertFalse(root.fixes().isEmpty());
        }
    }
}
