package io.gpuflow.cli;

import io.gpuflow.baseline.BaselineFacts;
import io.gpuflow.baseline.BaselineFile;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Known;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Unknown;
import io.gpuflow.facts.Verdict;
import io.gpuflow.flow.Ledger;
import io.gpuflow.flow.RunFacts;
import io.gpuflow.flow.State;
import io.gpuflow.probe.Survey;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.tool.BadRecording;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A machine's facts without those of any baseline: of a run, of a recording, or asked for now.
 *
 * @param from what they were taken from
 * @param ledger of the run, or null when the machine was asked
 */
record ComparedFacts(String from, List<Observed> facts, Ledger ledger) {
    private static final String BASELINE = "Baseline";

    static ComparedFacts of(String run, Path machine)
            throws Refused, IOException, InterruptedException {
        if (run != null && machine != null) {
            throw new Refused(ExitCode.USAGE, "--run and --machine exclude each other");
        }
        if (machine != null) {
            Replay.Result replay = Replay.of(machine);
            return new ComparedFacts(
                    "the recording " + named(machine), own(replay.facts()), replay.ledger());
        }
        if (run != null) {
            Path folder = RunNames.find(run);
            Ledger ledger = RunNames.ledger(folder);
            String name = "the run " + folder.toAbsolutePath().normalize().getFileName();
            return new ComparedFacts(name, own(RunFacts.of(folder)), ledger);
        }
        try (Machine asked = Machine.open(null, null, List.of())) {
            List<Observed> facts = new Survey().ask(asked.tools(), (stderr, text) -> {});
            return new ComparedFacts("this machine", facts, null);
        } catch (BadRecording e) {
            throw new Refused(ExitCode.USAGE, e.problems());
        }
    }

    /** In examples/h200x2/recording the folder above says more. */
    private static String named(Path machine) {
        Path path = machine.toAbsolutePath().normalize();
        Path name = path.getFileName();
        Path above = path.getParent() == null ? null : path.getParent().getFileName();
        boolean plain = above != null && String.valueOf(name).equals("recording");
        return String.valueOf(plain ? above : name);
    }

    /** Without what a run took from the baseline that held then. */
    private static List<Observed> own(List<Observed> facts) {
        return facts.stream().filter(o -> !ofBaseline(o.fact())).toList();
    }

    private static boolean ofBaseline(Fact fact) {
        return fact.getClass().getSimpleName().startsWith(BASELINE)
                || (fact instanceof Known k && k.what().startsWith(BASELINE))
                || (fact instanceof Unknown u && u.what().startsWith(BASELINE));
    }

    /** These facts and those of a baseline. */
    List<Observed> with(BaselineFile baseline) {
        List<Observed> both = new ArrayList<>(facts);
        both.addAll(BaselineFacts.of(baseline, facts.stream().map(Observed::fact).toList()));
        return both;
    }

    /** What the rules that look at baselines make of it. */
    static List<Verdict> judged(List<Observed> both) {
        Map<String, RuleCard> cards = ShippedRules.cards();
        Judgement judgement = ShippedRules.load().judge(both, Set.of());
        return judgement.verdicts().stream().filter(v -> compares(cards.get(v.id()))).toList();
    }

    private static boolean compares(RuleCard card) {
        return card.reads().stream().anyMatch(r -> r.type().startsWith(BASELINE));
    }

    /** Why the run was not healthy, or null: a finding that costs results, the run or its speed. */
    String illness() {
        if (ledger == null) {
            return null;
        }
        Map<String, RuleCard> cards = ShippedRules.cards();
        Judgement judgement = ledger.judgement();
        for (Verdict v : judgement == null ? List.<Verdict>of() : judgement.verdicts()) {
            RuleCard card = cards.get(v.id());
            boolean costs = card == null || card.costs().compareTo(RuleCard.Costs.SPEED) <= 0;
            boolean ill = v.level() == Verdict.Level.FAIL || v.level() == Verdict.Level.WARN;
            if (ill && costs && (card == null || !compares(card))) {
                return v.says() + " [" + v.id() + "]";
            }
        }
        for (Ledger.StepLog step : ledger.steps()) {
            if (step.state() == State.FAILED) {
                return "step " + step.id() + " failed: " + step.reason();
            }
        }
        return null;
    }
}
