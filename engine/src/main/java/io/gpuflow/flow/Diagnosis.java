package io.gpuflow.flow;

import io.gpuflow.facts.Incident;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Known;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.RankStack;
import io.gpuflow.facts.RasRank;
import io.gpuflow.facts.Sighting;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Stall;
import io.gpuflow.facts.Unknown;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.RuleBook;
import io.gpuflow.scan.Signatures;
import io.gpuflow.scan.Unread;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What the logs and dumps of a job say about its end, judged.
 *
 * @param job what tells the job from others that were read with it: a folder or file
 * @param outcome fault, healthy or unknown
 * @param note why it is unknown, when no verdict says so; what a clean bill leaves open; or null
 * @param verdicts roots first, best first
 * @param facts everything that was found out
 * @param unread what was named or found and not read, or not to its end
 */
public record Diagnosis(
        String job,
        Outcome outcome,
        String note,
        List<Verdict> verdicts,
        List<Observed> facts,
        List<Unread> unread,
        Judgement.Site site) {

    /** UNKNOWN is an answer: something failed, and what is there does not decide why. */
    public enum Outcome {
        FAULT,
        HEALTHY,
        UNKNOWN
    }

    /** Reads everything below the paths, of one job, and judges it with the rules. */
    public static Diagnosis of(List<Path> paths, RuleBook rules) {
        List<JobEvidence> jobs = JobEvidence.read(paths, List.of());
        if (jobs.size() != 1) {
            throw new IllegalArgumentException(jobs.size() + " jobs");
        }
        return of(jobs.get(0), rules);
    }

    /**
     * Reads everything below the paths and what RAS answers, and judges each job by itself.
     *
     * @param ras addresses where NCCL's RAS answers
     */
    public static List<Diagnosis> all(List<Path> paths, List<String> ras, RuleBook rules) {
        return all(paths, ras, Signatures::builtIn, rules);
    }

    /**
     * Likewise with these signatures.
     *
     * @param signatures asked for when there is a log to read
     */
    public static List<Diagnosis> all(
            List<Path> paths, List<String> ras, Supplier<Signatures> signatures, RuleBook rules) {
        return JobEvidence.read(paths, ras, signatures).stream()
                .map(job -> of(job, rules))
                .toList();
    }

    /** The worst of several, for one answer and one exit code: a fault, else unknown. */
    public static Outcome worst(List<Diagnosis> all) {
        return all.stream()
                .map(Diagnosis::outcome)
                .reduce(
                        Outcome.HEALTHY,
                        (a, b) -> a == Outcome.FAULT || b == Outcome.HEALTHY ? a : b);
    }

    /** Judges what was read. */
    public static Diagnosis of(JobEvidence read, RuleBook rules) {
        List<Observed> facts = read.facts();
        Judgement judgement = rules.judge(facts, Set.of());
        List<Verdict> verdicts =
                new Causality(facts)
                        .choose(judgement.verdicts().stream().map(Diagnosis::placed).toList());
        Outcome outcome = outcome(judgement, read);
        String note =
                switch (outcome) {
                    case UNKNOWN -> note(read, verdicts, judgement.site());
                    case HEALTHY -> remark(read);
                    case FAULT -> null;
                };
        return new Diagnosis(
                read.name(), outcome, note, verdicts, facts, read.unread(), judgement.site());
    }

    /** Evidence with a place goes before, or instead of, what rests on all logs together. */
    private static Verdict placed(Verdict v) {
        List<Source> lines = v.evidence().stream().filter(s -> s.line() > 0).toList();
        return lines.isEmpty() || lines.size() == v.evidence().size() ? v : v.seenIn(lines);
    }

    private static Outcome outcome(Judgement judgement, JobEvidence read) {
        boolean root =
                judgement.verdicts().stream()
                        .anyMatch(
                                v ->
                                        v.role() == Verdict.Role.ROOT
                                                && v.level() != Verdict.Level.INFO);
        if (root) {
            return Outcome.FAULT;
        }
        boolean whole = judgement.site().broken().isEmpty();
        return well(read) && !open(read) && !evidenceUnread(read) && whole
                ? Outcome.HEALTHY
                : Outcome.UNKNOWN;
    }

    /** Some log is one of a job, and none tells of a failure that lasted. */
    private static boolean well(JobEvidence read) {
        if (read.passed() != null) {
            return read.passed();
        }
        return incident(read) != null
                && incident(read).recognised()
                && incident(read).endsAt() == null
                && incident(read).behindAt() == null
                && (!incident(read).failed() || incident(read).wentOn());
    }

    /**
     * A dump is written, and a stack taken, when something hangs, or on demand: open calls alone
     * are no proof of health.
     */
    private static boolean open(JobEvidence read) {
        return read.facts().stream()
                .anyMatch(o -> o.fact() instanceof Stall || o.fact() instanceof RankStack);
    }

    private static boolean evidenceUnread(JobEvidence read) {
        return read.unread().stream().anyMatch(Unread::evidence);
    }

    private static Incident incident(JobEvidence read) {
        for (Observed o : read.facts()) {
            if (o.fact() instanceof Incident i) {
                return i;
            }
        }
        return null;
    }

    /** RAS answered, whatever it said. */
    private static boolean asked(JobEvidence read) {
        return read.facts().stream()
                .anyMatch(o -> o.fact() instanceof Known k && k.what().equals("RasRank"));
    }

    /** What the reader of a clean bill should know of it, or null. */
    private static String remark(JobEvidence read) {
        Incident incident = incident(read);
        if (incident == null) {
            return null;
        }
        if (Boolean.TRUE.equals(incident.excerpt())) {
            return "These are lines picked out of a log: they show a job that starts, not that it"
                    + " works.";
        }
        for (Observed o : read.facts()) {
            if (o.fact() instanceof Sighting s && s.passed() && s.kind().equals("fault")) {
                return "It got over a failure: work goes on below "
                        + o.source()
                        + " "
                        + o.source().excerpt();
            }
        }
        return null;
    }

    private static String note(JobEvidence read, List<Verdict> verdicts, Judgement.Site site) {
        if (!site.broken().isEmpty()) {
            Judgement.Broken broken = site.broken().get(0);
            return "What was read tells of no cause, but own rule "
                    + broken.rule()
                    + " of the site could not be asked.";
        }
        if (well(read) && !open(read)) {
            return "What was read tells of no failure, but not everything could be read.";
        }
        if (!verdicts.isEmpty()) {
            return null;
        }
        if (read.passed() != null) {
            return "The run did not end well, and what its steps recorded does not say why.";
        }
        boolean other =
                read.facts().stream()
                        .anyMatch(
                                o ->
                                        !(o.fact() instanceof Incident)
                                                && !(o.fact() instanceof Unknown));
        if (read.facts().stream().noneMatch(o -> o.fact() instanceof Incident) && asked(read)) {
            for (Observed o : read.facts()) {
                if (o.fact() instanceof RasRank r && "behind".equals(r.state())) {
                    return behind(r);
                }
            }
            return "NCCL's RAS answers, and shows no rank missing or behind. That does not tell a"
                    + " job that works from one that hangs on the devices: the Flight Recorder's"
                    + " dumps of all ranks do.";
        }
        if (incident(read) != null
                && incident(read).endsAt() != null
                && (!incident(read).failed() || incident(read).wentOn())) {
            return "The log ends at: "
                    + incident(read).endsAt()
                    + " - Neither work nor an end of the job is in it. A job that works says more"
                    + " within moments: look at what each rank does (py-spy dump --pid PID), and"
                    + " give that to gpuflow diagnose with the log.";
        }
        if (incident(read) != null && incident(read).behindAt() != null) {
            boolean one = incident(read).behind().size() == 1;
            return (one ? "Rank " : "Ranks ")
                    + incident(read).behind().stream()
                            .map(String::valueOf)
                            .collect(java.util.stream.Collectors.joining(", "))
                    + (one ? " stops at: " : " stop, the first at: ")
                    + incident(read).behindAt()
                    + " - The others go on, and nothing here says why. Look at what it does:"
                    + " py-spy dump --pid PID on its host, and the kernel log there (dmesg -T).";
        }
        if (!other && incident(read) == null) {
            return "Nothing in it can be judged. Give the job's own output, its Flight Recorder"
                    + " dumps or the kernel log.";
        }
        if (!other && !incident(read).recognised()) {
            return "Nothing was recognised: no line of a job, a launcher, a library or a driver"
                    + " that is known here. Give the job's own output, its Flight Recorder dumps or"
                    + " the kernel log.";
        }
        return "Nothing that was read says that a job failed, or why.";
    }

    private static String behind(RasRank r) {
        String counts = " (" + r.launched() + " of " + r.others() + ")";
        return "NCCL's RAS shows rank "
                + r.rank()
                + " behind in "
                + r.detail()
                + counts
                + ". Either it is outside any collective, or its device is still in an earlier one"
                + " whose shape or type differs. The Flight Recorder's dumps of all ranks tell, or"
                + " py-spy dump --pid "
                + (r.pid() == null ? "PID" : r.pid())
                + " on its node.";
    }
}
