package io.gpuflow.flow;

import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.RuleBook;
import io.gpuflow.rules.ShippedRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/**
 * Diagnoses every case of a folder and compares with what its case.yaml expects. A case is a folder
 * with case.yaml (expect: cause, also_ok, must_not, rank; logs) and the files to read.
 */
public final class CorpusScore {
    private static final Set<String> NOT_READ =
            Set.of(
                    "case.yaml",
                    "exit.txt",
                    "torchfrtrace.txt",
                    "torchfrtrace-j.txt",
                    "README.md",
                    "fault_injection.log");

    private final RuleBook rules = ShippedRules.load();
    private final Map<String, Integer> counts = new TreeMap<>();
    private final List<String> misses = new ArrayList<>();

    /** Prints figures, and with --list the misses; folders and name prefixes select cases. */
    public static void main(String[] args) throws IOException {
        CorpusScore score = new CorpusScore();
        boolean list = List.of(args).contains("--list");
        for (String arg : args) {
            if (!arg.startsWith("--")) {
                score.all(Path.of(arg));
            }
        }
        if (list) {
            score.misses.forEach(System.out::println);
        }
        System.out.println(score.counts);
    }

    void all(Path folder) throws IOException {
        List<Path> cases;
        try (Stream<Path> s = Files.list(folder)) {
            cases = s.filter(p -> Files.exists(p.resolve("case.yaml"))).sorted().toList();
        }
        for (Path c : cases) {
            one(c);
        }
    }

    Map<String, Integer> counts() {
        return counts;
    }

    List<String> misses() {
        return misses;
    }

    private void one(Path folder) throws IOException {
        Map<?, ?> yaml = new Yaml().load(Files.readString(folder.resolve("case.yaml")));
        Map<?, ?> expect = (Map<?, ?>) yaml.get("expect");
        Diagnosis d = Diagnosis.of(files(folder, yaml), rules);
        Verdict root =
                d.verdicts().stream()
                        .filter(v -> v.role() == Verdict.Role.ROOT)
                        .findFirst()
                        .orElse(null);
        String said =
                root != null
                        ? root.cause()
                        : d.outcome() == Diagnosis.Outcome.HEALTHY ? "none" : "unknown";
        String want = String.valueOf(expect.get("cause"));
        boolean hit = want.equals(said) || list(expect.get("also_ok")).contains(said);
        boolean main = main(yaml);
        String group = want.equals("none") ? "healthy" : main ? "main" : "other";
        String name = folder.getFileName().toString();
        count(group);
        if (hit) {
            count(group + " right");
        } else {
            misses.add(name + ": said " + said + ", want " + want);
            if (said.equals("unknown")) {
                count(group + " unknown");
            }
        }
        if (list(expect.get("must_not")).contains(said)) {
            count("must_not");
            misses.add(name + ": must not say " + said);
        }
        rank(name, expect, root, hit, want);
        if (hit && root != null && (root.evidence().isEmpty() || root.fixes().isEmpty())) {
            count("no evidence or fix");
        }
    }

    private void rank(String name, Map<?, ?> expect, Verdict root, boolean hit, String want) {
        if (expect.get("rank") instanceof Integer rank && hit && !want.equals("none")) {
            count("rank");
            if (root != null && root.ranks().contains(rank)) {
                count("rank right");
            } else {
                misses.add(
                        name + ": ranks " + (root == null ? "" : root.ranks()) + ", want " + rank);
            }
        }
    }

    private static boolean main(Map<?, ?> yaml) {
        Object confidence = yaml.get("confidence");
        Object evidence = yaml.get("evidence");
        return (confidence == null || Set.of("confirmed", "maintainer").contains(confidence))
                && (evidence == null || Set.of("direct", "inferred").contains(evidence));
    }

    private static List<Path> files(Path folder, Map<?, ?> yaml) throws IOException {
        if (yaml.get("logs") instanceof List<?> logs && !logs.isEmpty()) {
            return logs.stream().map(l -> folder.resolve(l.toString())).toList();
        }
        try (Stream<Path> s = Files.list(folder)) {
            return s.filter(p -> !NOT_READ.contains(p.getFileName().toString())).sorted().toList();
        }
    }

    private static List<?> list(Object value) {
        return value instanceof List<?> l ? l : List.of();
    }

    private void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }
}
