package io.gpuflow.cli;

import io.gpuflow.facts.Observed;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.rules.Words;
import io.gpuflow.rules.site.Learned;
import io.gpuflow.rules.site.SiteEdit;
import io.gpuflow.rules.site.SiteRules;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Proposes settings from healthy runs. */
@Command(
        name = "learn",
        mixinStandardHelpOptions = true,
        description = {
            "Proposes settings from healthy runs.",
            "Of runs that you know to be healthy it takes what site.yaml should say: the least change of a setting under which a rule that warned of them is quiet, and the bandwidths that such machines reach, with bands. What fails is never learnt away.",
            "Shows it as a diff; --write applies it."
        },
        footer = {"", "Exit code: 0 proposed, or nothing to learn; 2 no such run, or wrong usage."})
final class RulesLearnCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "RUN",
            arity = "1..*",
            description = "runs, recordings, or folders of them; last is the last run")
    private List<String> runs;

    @Option(names = "--write", description = "change site.yaml")
    private boolean write;

    @Option(
            names = "--because",
            paramLabel = "TEXT",
            description = "reason of the new entries; the names of the runs by default")
    private String because;

    @Mixin private SiteOptions site;

    @Override
    public Integer call() throws IOException {
        try {
            return learn();
        } catch (Refused e) {
            return e.told("rules learn");
        } catch (SiteEdit.Impossible e) {
            System.err.println("gpuflow rules learn: " + e.getMessage());
            return ExitCode.USAGE;
        }
    }

    private int learn() throws IOException, Refused, SiteEdit.Impossible {
        SiteRules rules = site.loadOrNew();
        if (rules == null) {
            return ExitCode.USAGE;
        }
        Map<String, List<Observed>> facts = RunSources.facts(runs);
        Learned.Result learned =
                Learned.of(ShippedRules.loaded(rules.policy()), List.copyOf(facts.values()));
        SiteFile file = SiteFile.open(site);
        String why = because == null ? "learnt from " + names(facts) : because;
        for (Learned.Threshold t : learned.thresholds()) {
            file.edit().set(t.rule(), t.name(), plain(t.value()), why, null);
        }
        for (Learned.Reached r : learned.reached()) {
            boolean there =
                    rules.site().expected().stream()
                            .anyMatch(e -> e.machine().id().equals(r.machine()));
            if (there) {
                System.out.println(
                        "expected figures of " + r.machine() + " are there already and stay");
            } else {
                file.edit().append("expected", expected(r), why, null);
            }
        }
        learned.notLearnt().forEach(n -> System.out.println("not learnt: " + n));
        if (!learned.notLearnt().isEmpty()) {
            System.out.println("no figures are learnt from runs with such findings");
        }
        List<String> diff = file.diff();
        diff.forEach(System.out::println);
        if (diff.isEmpty()) {
            System.out.println("nothing to learn");
        } else if (write) {
            file.write();
            System.out.println("written to " + file.path());
        } else {
            System.out.println("nothing is written yet: --write changes " + file.path());
        }
        return ExitCode.OK;
    }

    private static Map<String, String> expected(Learned.Reached reached) {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("machine", reached.machine());
        keys.put("if", "'" + reached.condition().replace("'", "''") + "'");
        String figures =
                reached.figures().entrySet().stream()
                        .map(
                                e ->
                                        e.getKey()
                                                + ": { target: "
                                                + Words.number(e.getValue())
                                                + ", warn: -10%, fail: -25% }")
                        .collect(Collectors.joining(", "));
        keys.put("figures", "{ " + figures + " }");
        return keys;
    }

    /** The folders' names; of a recording the folder above says more. */
    private static String names(Map<String, List<Observed>> facts) {
        return facts.keySet().stream()
                        .map(Path::of)
                        .map(p -> p.toAbsolutePath().normalize())
                        .map(p -> p.endsWith("recording") ? p.getParent() : p)
                        .map(p -> String.valueOf(p.getFileName()))
                        .limit(3)
                        .collect(Collectors.joining(", "))
                + (facts.size() > 3 ? " and " + (facts.size() - 3) + " more" : "");
    }

    private static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%s", value);
    }
}
