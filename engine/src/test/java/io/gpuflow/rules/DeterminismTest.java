package io.gpuflow.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Observed;
import io.gpuflow.rules.folder.RuleCase;
import io.gpuflow.rules.folder.RuleFolder;
import io.gpuflow.yaml.Problems;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The same facts in any order give the same judgement, to the byte. */
class DeterminismTest {
    @Test
    void orderDoesNotMatter() throws IOException {
        RuleBook rules = ShippedRules.load();
        List<Observed> facts = factsOfAllCases();
        String first = rules.judge(facts, Set.of()).toString();
        assertTrue(first.length() > 1000, first);
        for (int seed = 0; seed < 5; seed++) {
            Collections.shuffle(facts, new Random(seed));
            assertEquals(first, rules.judge(facts, Set.of()).toString(), "seed " + seed);
        }
    }

    /** Everything at once: far more than any machine shows, and contradictory. */
    private static List<Observed> factsOfAllCases() throws IOException {
        List<Observed> facts = new ArrayList<>();
        Path home = Path.of(System.getProperty("gpuflow.home"));
        Problems problems = new Problems();
        for (RuleFolder folder : RuleFolder.readAll(home.resolve("rules"), problems)) {
            for (RuleCase c : folder.cases(problems)) {
                facts.addAll(c.given());
            }
        }
        return facts;
    }
}
