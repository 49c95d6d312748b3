package io.gpuflow.cli;

import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Verdict;
import io.gpuflow.report.JsonPrinter;
import io.gpuflow.report.ProblemPrinter;
import io.gpuflow.report.SafeText;
import io.gpuflow.rules.LoadedRules;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.rules.site.SiteRules;
import io.gpuflow.yaml.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says how two policies judge the same runs. */
@Command(
        name = "diff",
        mixinStandardHelpOptions = true,
        description = {
            "Says how two policies judge the same runs.",
            "The effect of a change on stored runs or recordings is seen before it is rolled out. A policy is a site.yaml, or the word shipped."
        },
        footer = {
            "",
            "Exit code: 0 they judge alike; 1 they differ; 2 a policy has mistakes, or there are no"
                    + " runs."
        })
final class RulesDiffCommand implements Callable<Integer> {
    private static final String SHIPPED = "shipped";

    @Parameters(index = "0", paramLabel = "A", description = "site.yaml, or shipped")
    private String a;

    @Parameters(index = "1", paramLabel = "B", description = "site.yaml, or shipped")
    private String b;

    @Option(
            names = "--runs",
            paramLabel = "DIR",
            arity = "1..*",
            description = "runs, recordings, or folders of them; by default all in gpuflow-runs")
    private List<String> runs = List.of();

    @Option(names = "--json", description = "print one JSON document")
    private boolean json;

    /** One difference, in words of both sides. */
    private record Difference(String rule, String before, String after) {}

    @Override
    public Integer call() throws IOException {
        try {
            LoadedRules one = load(a);
            LoadedRules other = load(b);
            Map<String, List<Observed>> facts = RunSources.facts(runs);
            Map<String, List<Difference>> all = new LinkedHashMap<>();
            facts.forEach(
                    (name, of) ->
                            all.put(
                                    name,
                                    differences(
                                            one.judge(of, Set.of()), other.judge(of, Set.of()))));
            print(all);
            return all.values().stream().allMatch(List::isEmpty) ? ExitCode.OK : ExitCode.FOUND;
        } catch (Refused e) {
            return e.told("rules diff");
        }
    }

    private static LoadedRules load(String name) throws Refused {
        if (name.equals(SHIPPED)) {
            return ShippedRules.loaded();
        }
        Path file = GpuflowHome.find(Path.of(name));
        if (!Files.exists(file)) {
            throw new Refused(
                    ExitCode.USAGE,
                    "there is no " + name + "; name a site.yaml, or the word shipped");
        }
        Problems problems = new Problems();
        SiteRules rules =
                SiteRules.load(
                        Files.isDirectory(file) ? file.resolve("site.yaml") : file,
                        ShippedRules.cards(),
                        SiteRules.Setup.of(System.getenv(), List.of()),
                        problems);
        if (!problems.isEmpty()) {
            ProblemPrinter.print(problems, System.err);
            throw new Refused(ExitCode.USAGE, name + " has mistakes: nothing is judged by it");
        }
        return ShippedRules.loaded(rules.policy());
    }

    private static List<Difference> differences(Judgement before, Judgement after) {
        Map<String, String> was = told(before);
        Map<String, String> is = told(after);
        Set<String> keys = new TreeSet<>(was.keySet());
        keys.addAll(is.keySet());
        List<Difference> differences = new ArrayList<>();
        for (String key : keys) {
            String x = was.getOrDefault(key, "quiet");
            String y = is.getOrDefault(key, "quiet");
            if (!x.equals(y)) {
                differences.add(new Difference(key, x, y));
            }
        }
        return differences;
    }

    /** What is told, by rule: level and lines, or that it can't be told. */
    private static Map<String, String> told(Judgement judgement) {
        Map<String, String> told = new TreeMap<>();
        for (Verdict v : judgement.verdicts()) {
            String line = v.level().name().toLowerCase(Locale.ROOT) + ": " + v.says();
            told.merge(v.id(), line, (x, y) -> x.compareTo(y) <= 0 ? x + "; " + y : y + "; " + x);
        }
        judgement.untold().forEach(u -> told.putIfAbsent(u.rule(), "unknown"));
        judgement.site().broken().forEach(x -> told.putIfAbsent(x.rule(), "broken: " + x.why()));
        return told;
    }

    private void print(Map<String, List<Difference>> all) throws IOException {
        if (json) {
            List<Object> list = new ArrayList<>();
            all.forEach(
                    (run, differences) -> {
                        Map<String, Object> one = new LinkedHashMap<>();
                        one.put("run", run);
                        one.put("differences", differences.stream().map(d -> values(d)).toList());
                        list.add(one);
                    });
            JsonPrinter.print(Map.of("gpuflow", 1, "a", a, "b", b, "runs", list), System.out);
            return;
        }
        int differing = 0;
        for (Map.Entry<String, List<Difference>> e : all.entrySet()) {
            differing += e.getValue().isEmpty() ? 0 : 1;
            if (!e.getValue().isEmpty()) {
                System.out.println(e.getKey());
            }
            for (Difference d : e.getValue()) {
                System.out.println("  " + d.rule());
                System.out.println("    - " + SafeText.line(d.before()));
                System.out.println("    + " + SafeText.line(d.after()));
            }
        }
        System.out.println(
                all.size()
                        + (all.size() == 1 ? " run, " : " runs, ")
                        + differing
                        + " judged differently");
    }

    private static Map<String, Object> values(Difference d) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("rule", d.rule());
        values.put("a", d.before());
        values.put("b", d.after());
        return values;
    }
}
