package io.gpuflow.rules.site;

import io.gpuflow.facts.Bench;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Setting;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.LoadedRules;
import io.gpuflow.rules.Policy;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.SettingSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What healthy runs teach: the least change of a threshold under which a rule that warned of them
 * is quiet, with a band, and the bandwidths that their type of machine reaches.
 */
public final class Learned {
    /** Halvings of the range; 24 leave a ten-millionth of it. */
    private static final int HALVINGS = 24;

    /** Part of the way that is added, so that the next healthy run is quiet too. */
    private static final double BAND = 0.05;

    /**
     * A setting that should have another value.
     *
     * @param was the value in force
     */
    public record Threshold(String rule, String name, double was, double value) {}

    /**
     * What machines of a type reach.
     *
     * @param machine an id for the type: h200x2
     * @param model name of its GPUs
     * @param figures GB/s by collective, the lowest of the runs
     */
    public record Reached(String machine, String model, int gpus, Map<String, Double> figures) {
        /** The condition that holds on such machines. */
        public String condition() {
            return "size(facts.gpu) == "
                    + gpus
                    + " && facts.gpu.all(g, g.model == \""
                    + model.replace("\\", "\\\\").replace("\"", "\\\"")
                    + "\")";
        }
    }

    /**
     * @param notLearnt findings that no setting may silence, or none can
     */
    public record Result(
            List<Threshold> thresholds, List<Reached> reached, List<String> notLearnt) {}

    private final Policy policy;
    private final LoadedRules rules;
    private final List<List<Observed>> runs;
    private final Set<String> notLearnt = new LinkedHashSet<>();

    private Learned(LoadedRules rules, List<List<Observed>> runs) {
        this.policy = rules.policy();
        this.rules = rules;
        this.runs = runs;
    }

    /**
     * @param rules in force
     * @param runs facts of runs that are healthy
     */
    public static Result of(LoadedRules rules, List<List<Observed>> runs) {
        Learned learned = new Learned(rules, runs);
        List<Threshold> thresholds = learned.thresholds();
        // Of a machine with findings the bandwidth is no measure.
        List<Reached> reached = learned.notLearnt.isEmpty() ? learned.reached() : List.of();
        return new Result(thresholds, reached, List.copyOf(learned.notLearnt));
    }

    private List<Threshold> thresholds() {
        List<Threshold> found = new ArrayList<>();
        for (String rule : warnings()) {
            Threshold threshold = threshold(policy.cards().get(rule));
            if (threshold == null) {
                notLearnt.add(
                        rule + ": no setting makes it quiet; mend it, or ignore or except it");
            } else {
                found.add(threshold);
            }
        }
        return found;
    }

    /** Rules that warn of a run that is said to be healthy. What fails is never learnt away. */
    private Set<String> warnings() {
        Set<String> warnings = new TreeSet<>();
        for (List<Observed> run : runs) {
            Judgement judgement = rules.judge(run, Set.of());
            for (Verdict v : judgement.verdicts()) {
                if (v.level() == Verdict.Level.FAIL) {
                    notLearnt.add(
                            v.id() + " fails: " + v.says() + "; a healthy run has no such finding");
                } else if (v.level() == Verdict.Level.WARN) {
                    warnings.add(v.id());
                }
            }
        }
        return warnings;
    }

    /** Of the settings that can silence the rule, the one that changes least. */
    private Threshold threshold(RuleCard card) {
        Threshold best = null;
        double least = Double.POSITIVE_INFINITY;
        for (Setting now : policy.settings().getOrDefault(card.id(), List.of())) {
            SettingSpec spec = card.setting(now.name());
            if (!Set.of("number", "share", "seconds", "bytes").contains(spec.type())) {
                continue;
            }
            for (double end : List.of(lowest(spec, now), highest(spec, now))) {
                Double value = end == now.number() ? null : quietAt(card.id(), spec, now, end);
                double change =
                        value == null
                                ? Double.POSITIVE_INFINITY
                                : Math.abs(value - now.number())
                                        / Math.max(1e-12, Math.abs(now.number()));
                if (change < least) {
                    least = change;
                    best = new Threshold(card.id(), now.name(), now.number(), value);
                }
            }
        }
        return best;
    }

    private static double lowest(SettingSpec spec, Setting now) {
        return Double.isFinite(spec.min()) ? spec.min() : Math.min(0, now.number() * 10);
    }

    private static double highest(SettingSpec spec, Setting now) {
        return Double.isFinite(spec.max()) ? spec.max() : Math.max(1, now.number() * 10);
    }

    /** The value nearest to the one in force at which the rule is quiet, with a band; or null. */
    private Double quietAt(String rule, SettingSpec spec, Setting now, double end) {
        if (!quiet(rule, now, end)) {
            return null;
        }
        double loud = now.number();
        double quiet = end;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (loud + quiet) / 2;
            if (quiet(rule, now, middle)) {
                quiet = middle;
            } else {
                loud = middle;
            }
        }
        double band = Math.signum(end - now.number()) * BAND * Math.abs(quiet);
        double value = rounded(quiet + band, end > now.number());
        double low = Math.min(now.number(), end);
        double high = Math.max(now.number(), end);
        return Math.max(Math.max(low, spec.min()), Math.min(Math.min(high, spec.max()), value));
    }

    /** Three digits, away from where the rule speaks. */
    private static double rounded(double value, boolean up) {
        if (value == 0) {
            return 0;
        }
        double unit = Math.pow(10, Math.floor(Math.log10(Math.abs(value))) - 2);
        double units = value / unit;
        return Double.parseDouble(
                String.format(
                        Locale.ROOT, "%.6g", (up ? Math.ceil(units) : Math.floor(units)) * unit));
    }

    private boolean quiet(String rule, Setting now, double value) {
        Map<String, List<Setting>> settings = new TreeMap<>(policy.settings());
        List<Setting> changed = new ArrayList<>();
        for (Setting s : settings.get(rule)) {
            changed.add(
                    s.name().equals(now.name())
                            ? new Setting(rule, s.name(), value, s.text(), s.list())
                            : s);
        }
        settings.put(rule, changed);
        LoadedRules tried = rules.with(settings);
        return runs.stream()
                .allMatch(
                        run ->
                                tried.judge(run, Set.of()).verdicts().stream()
                                        .noneMatch(v -> v.id().equals(rule)));
    }

    /**
     * The lowest bandwidth of each type of machine, so that each of the runs is within its band.
     */
    private List<Reached> reached() {
        Map<String, Reached> machines = new LinkedHashMap<>();
        for (List<Observed> run : runs) {
            Collection<Fact> facts = run.stream().map(Observed::fact).toList();
            List<Gpu> gpus =
                    facts.stream()
                            .filter(Gpu.class::isInstance)
                            .map(Gpu.class::cast)
                            .distinct()
                            .toList();
            Set<String> models = new TreeSet<>();
            gpus.forEach(g -> models.add(String.valueOf(g.model())));
            if (gpus.size() < 2 || models.size() != 1 || models.contains("null")) {
                continue;
            }
            String model = models.iterator().next();
            String id =
                    model.toLowerCase(Locale.ROOT)
                                    .replaceAll("nvidia|amd|instinct|geforce", " ")
                                    .strip()
                                    .replaceAll("[^a-z0-9]+", "-")
                            + "x"
                            + gpus.size();
            Reached reached =
                    machines.computeIfAbsent(
                            id, i -> new Reached(i, model, gpus.size(), new TreeMap<>()));
            for (Fact fact : facts) {
                if (fact instanceof Bench b && healthy(b, gpus.size())) {
                    reached.figures().merge(b.op(), b.largeBusbwGbps(), Math::min);
                }
            }
        }
        return machines.values().stream().filter(r -> !r.figures().isEmpty()).toList();
    }

    private static boolean healthy(Bench b, int gpus) {
        return Boolean.TRUE.equals(b.completed())
                && (b.wrong() == null || b.wrong() == 0)
                && b.ranks() == gpus
                && b.largeBusbwGbps() != null
                && b.largeBusbwGbps() > 0;
    }
}
