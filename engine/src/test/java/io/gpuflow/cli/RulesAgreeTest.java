package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Verdict;
import io.gpuflow.parse.Parser;
import io.gpuflow.parse.Parsers;
import io.gpuflow.probe.Survey;
import io.gpuflow.rules.LoadedRules;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.tool.RecordedTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** On one machine no two rules say opposite things, and a healthy machine gets no warning. */
class RulesAgreeTest {
    private static final Path HOME = Path.of(System.getProperty("gpuflow.home"));

    /** Tool outputs of many machines; not part of this repository. */
    private static final Path CASES = HOME.resolve("../shared/cases/topo").normalize();

    /** Cases that show a fault, with the rules that may warn of it. */
    private static final Map<String, Set<String>> FAULTY =
            Map.of(
                    "fabric-gb200-recovering",
                            Set.of("fabric-health-degraded", "fabric-not-registered"),
                    "fabric-in-progress-4lines", Set.of("fabric-not-registered"),
                    "fabric-in-progress-grep", Set.of("fabric-not-registered"),
                    "nt-wrong-96-32-gh200-slingshot", Set.of("wrong-results"),
                    "imex-json-degraded-short", Set.of("imex-domain-down"));

    private static final LoadedRules RULES = ShippedRules.loaded();

    static {
        RULES.warm();
    }

    @Test
    void recordingsAgree() throws Exception {
        for (Path recording : recordings()) {
            Judgement judgement = RULES.judge(probed(recording), Set.of());
            assertEquals(List.of(), contradictions(judgement), recording.toString());
        }
    }

    @Test
    void healthyMachinesGetNoWarning() throws Exception {
        for (String name :
                List.of(
                        "h200x2",
                        "h200x2-live",
                        "h100x8-nvswitch",
                        "rtx4090x4-workstation",
                        "a100x4-bridged-pairs")) {
            Path recording = HOME.resolve("examples/" + name + "/recording");
            Judgement judgement = RULES.judge(probed(recording), Set.of());
            assertEquals(List.of(), bad(judgement), name);
            assertTrue(
                    judgement.verdicts().stream().anyMatch(v -> v.id().contains("tensor-parallel")),
                    name + ": " + judgement.verdicts());
        }
    }

    @Test
    void toolOutputsOfManyMachinesAgreeAndWarnOnlyOfFaults() throws IOException {
        Assumptions.assumeTrue(Files.isDirectory(CASES), CASES + " is not here");
        Map<String, List<String>> unexpected = new TreeMap<>();
        int judged = 0;
        for (Path folder : folders(CASES)) {
            List<Observed> facts = facts(folder);
            judged += facts.isEmpty() ? 0 : 1;
            Judgement judgement = RULES.judge(facts, Set.of());
            String name = folder.getFileName().toString();
            List<String> wrong = new ArrayList<>(contradictions(judgement));
            Set<String> allowed = FAULTY.getOrDefault(name, Set.of());
            bad(judgement).stream()
                    .filter(v -> !allowed.contains(v.split(":")[0]))
                    .forEach(wrong::add);
            if (!wrong.isEmpty()) {
                unexpected.put(name, wrong);
            }
        }
        assertEquals(Map.of(), unexpected);
        assertTrue(judged > 80, judged + " cases gave facts");
    }

    private static List<String> bad(Judgement judgement) {
        return judgement.verdicts().stream()
                .filter(v -> v.level() != Verdict.Level.INFO)
                .map(v -> v.id() + ": " + v.says())
                .toList();
    }

    /** Claims of one topic with two positions, and remedies that set one variable two ways. */
    private static List<String> contradictions(Judgement judgement) {
        Map<String, Map<String, Set<String>>> positions = new LinkedHashMap<>();
        for (Verdict v : judgement.verdicts()) {
            RULES.cards()
                    .get(v.id())
                    .claims()
                    .forEach((topic, position) -> add(positions, topic, position, v.id()));
            v.fixes().stream()
                    .filter(fix -> fix.kind().equals("fix"))
                    .flatMap(fix -> fix.env().entrySet().stream())
                    .forEach(e -> add(positions, e.getKey(), String.valueOf(e.getValue()), v.id()));
        }
        List<String> found = new ArrayList<>();
        positions.forEach(
                (topic, by) -> {
                    if (by.size() > 1) {
                        found.add(topic + ": " + by);
                    }
                });
        return found;
    }

    private static void add(
            Map<String, Map<String, Set<String>>> positions,
            String topic,
            String position,
            String rule) {
        positions
                .computeIfAbsent(topic, t -> new TreeMap<>())
                .computeIfAbsent(position, p -> new TreeSet<>())
                .add(rule);
    }

    private static List<Path> recordings() throws IOException {
        try (Stream<Path> walk = Files.walk(HOME.resolve("examples"), 3)) {
            return walk.filter(p -> p.endsWith("recording.json"))
                    .map(Path::getParent)
                    .sorted()
                    .toList();
        }
    }

    private static List<Observed> probed(Path recording) throws Exception {
        return new Survey().ask(RecordedTools.open(recording, List.of()), (stderr, text) -> {});
    }

    private static List<Path> folders(Path parent) throws IOException {
        try (Stream<Path> list = Files.list(parent)) {
            return list.filter(Files::isDirectory).sorted().toList();
        }
    }

    private static List<Observed> facts(Path folder) throws IOException {
        List<Observed> facts = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                if (!file.endsWith("case.yaml")) {
                    String text = Files.readString(file);
                    Parser<?> parser = Parsers.of(text);
                    if (parser != null) {
                        facts.addAll(parser.parse(text).facts(file.getFileName().toString()));
                    }
                }
            }
        }
        return facts;
    }
}
