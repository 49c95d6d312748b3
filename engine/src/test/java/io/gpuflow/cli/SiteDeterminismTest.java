package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Observed;
import io.gpuflow.rules.LoadedRules;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.rules.site.SiteRules;
import io.gpuflow.yaml.Problems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The same facts in any order give the same judgement under a policy, to the byte. */
class SiteDeterminismTest {
    private static final Path HOME = Path.of(System.getProperty("gpuflow.home", "."));

    @Test
    void orderDoesNotMatter() throws Exception {
        int spoke = 0;
        for (Path site : sites()) {
            Problems problems = new Problems();
            SiteRules rules =
                    SiteRules.load(
                            site,
                            ShippedRules.cards(),
                            new SiteRules.Setup(
                                    LocalDate.of(2026, 12, 1), List.of(), null, text -> {}),
                            problems);
            LoadedRules loaded = ShippedRules.loaded(rules.policy());
            for (Path recording : recordings()) {
                List<Observed> facts =
                        new ArrayList<>(RuleFiles.sample("examples/" + recording + "/recording"));
                String first = loaded.judge(facts, Set.of()).toString();
                spoke += first.contains("Suppressed[") || first.contains("Vetoed[") ? 1 : 0;
                for (int seed = 0; seed < 2; seed++) {
                    Collections.shuffle(facts, new Random(seed));
                    assertEquals(
                            first,
                            loaded.judge(facts, Set.of()).toString(),
                            site + " over " + recording + ", seed " + seed);
                }
            }
        }
        assertTrue(spoke >= 2, "the policies have a say in " + spoke);
    }

    private static List<Path> sites() throws Exception {
        try (Stream<Path> all = Files.list(HOME.resolve("examples"))) {
            return all.map(e -> e.resolve("site.yaml")).filter(Files::exists).sorted().toList();
        }
    }

    private static List<Path> recordings() throws Exception {
        try (Stream<Path> all = Files.list(HOME.resolve("examples"))) {
            return all.filter(e -> Files.isDirectory(e.resolve("recording")))
                    .map(Path::getFileName)
                    .sorted()
                    .toList();
        }
    }
}
