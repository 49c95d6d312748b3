package io.gpuflow.cli;

import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Verdict;
import io.gpuflow.flow.Ledger;
import io.gpuflow.flow.State;
import io.gpuflow.report.Missing;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a run came to in one sentence, and the one thing to do now. */
final class RunNext {
    private static final int LONGEST = 160;
    private static final String RECORDING = "examples/h200x2-live/recording";
    private static final String REPLAY = "gpuflow run workflows/setup.yaml --machine " + RECORDING;

    private final Ledger ledger;
    private final Judgement judgement;
    private final String folder;

    RunNext(Ledger ledger, Judgement judgement, String folder) {
        this.ledger = ledger;
        this.judgement = judgement;
        this.folder = folder;
    }

    String headline(Integer exit) {
        if (ledger.ended() == null) {
            return "gpuflow ended before the run did; what was written is kept.";
        }
        if (ledger.ended().interrupted()) {
            return "Interrupted; what was done is kept.";
        }
        if (ledger.started() != null && ledger.started().dryRun()) {
            return "Dry run: only what reads was run.";
        }
        int code = exit == null ? ExitCode.INTERNAL : exit;
        return switch (code) {
            case ExitCode.OK -> fine();
            case ExitCode.FOUND -> found();
            default -> "Could not tell: " + String.join(", ", untold()) + alsoWarned() + ".";
        };
    }

    private String fine() {
        long warnings = RunReports.count(judgement.verdicts(), Verdict.Level.WARN);
        String unknown =
                judgement.untold().isEmpty()
                        ? "."
                        : ", as far as it could be told: "
                                + judgement.untold().size()
                                + (judgement.untold().size() == 1 ? " check is" : " checks are")
                                + " unknown.";
        String usable = warnings == 0 ? "Usable" : "Usable, with " + things(warnings, "warning");
        return usable + unknown;
    }

    private String alsoWarned() {
        long warnings = RunReports.count(judgement.verdicts(), Verdict.Level.WARN);
        return warnings == 0 ? "" : "; " + things(warnings, "warning");
    }

    private String found() {
        long failing = RunReports.count(judgement.verdicts(), Verdict.Level.FAIL);
        if (failing > 0) {
            return "Not in order: " + things(failing, "finding") + " to act on.";
        }
        List<String> failed = steps(State.FAILED);
        return failed.isEmpty()
                ? "Not in order: findings at or above --fail-on."
                : "Not in order: " + String.join(", ", failed) + ".";
    }

    private List<String> untold() {
        List<String> said = new ArrayList<>(steps(State.BROKEN));
        said.addAll(steps(State.UNKNOWN));
        said.addAll(said.isEmpty() ? steps(State.BLOCKED) : List.of());
        List<Judgement.Broken> broken = judgement.site().broken();
        if (broken.size() == 1) {
            said.add("the rule " + broken.get(0).rule() + " is broken");
        } else if (broken.size() > 1) {
            said.add(broken.size() + " rules are broken");
        }
        return said;
    }

    private List<String> steps(State state) {
        return ledger.steps().stream()
                .filter(s -> s.state() == state)
                .map(s -> s.id() + " " + (state == State.BROKEN ? "broke" : "is " + state.word()))
                .map(s -> s.replace(" is failed", " failed"))
                .toList();
    }

    private static String things(long n, String thing) {
        return n + " " + thing + (n == 1 ? "" : "s");
    }

    /** The next step, or null when there is nothing to do. */
    String text() {
        boolean unfinished = ledger.ended() == null || ledger.ended().interrupted();
        if (unfinished && folder != null) {
            return "go on with it: gpuflow run --resume " + folder;
        }
        for (Verdict verdict : judgement.verdicts()) {
            if (verdict.level() != Verdict.Level.INFO && !verdict.fixes().isEmpty()) {
                Verdict.Fix fix = first(verdict.fixes());
                String who = fix.who() == null ? "" : " (" + fix.who() + ")";
                return fix.text() + who;
            }
        }
        for (Ledger.StepLog step : ledger.steps()) {
            if (step.state() == State.FAILED || step.state() == State.BROKEN) {
                return look(step);
            }
        }
        return judgement.untold().isEmpty() ? null : unknown();
    }

    /** What was tried already need not be tested again. */
    private Verdict.Fix first(List<Verdict.Fix> fixes) {
        boolean tried =
                ledger.steps().stream()
                        .flatMap(s -> s.experiments().stream())
                        .anyMatch(e -> e.outcome().equals("confirmed"));
        return fixes.stream()
                .filter(f -> !(tried && "test".equals(f.kind())))
                .findFirst()
                .orElse(fixes.get(0));
    }

    private String look(Ledger.StepLog step) {
        if (step.attempts().isEmpty() || folder == null) {
            return "see why " + step.id() + " " + step.state().word() + ": " + step.reason();
        }
        String last = step.attempts().get(step.attempts().size() - 1).started().folder();
        return "look at what " + step.id() + " left in " + Path.of(folder).resolve(last);
    }

    /** The reason behind most of what is unknown. */
    private String unknown() {
        String most = Missing.of(judgement.untold()).get(0).why();
        return "what most unknown checks wait for: " + shortened(most);
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
    }

    /** Where there is no GPU: how to see the whole; else null. */
    String noGpu() {
        boolean replay = ledger.started() != null && ledger.started().replay();
        boolean asked =
                judgement.untold().stream()
                        .flatMap(u -> u.missing().stream())
                        .anyMatch(m -> m.what().equals("Topology") || m.what().startsWith("Gpu"));
        boolean noGpu = asked && ledger.steps().stream().noneMatch(RunNext::hasGpus);
        return noGpu && !replay
                ? "no GPU could be seen here; to see a whole run on recorded H200s: " + REPLAY
                : null;
    }

    private static boolean hasGpus(Ledger.StepLog step) {
        return step.attempts().stream()
                .filter(a -> a.ended() != null)
                .map(a -> a.ended().out().get("gpus"))
                .anyMatch(gpus -> gpus instanceof List<?> list && !list.isEmpty());
    }
}
