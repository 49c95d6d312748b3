package io.gpuflow.flow;

import io.gpuflow.bundle.BundleFile;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Unknown;
import io.gpuflow.scan.Logs;
import io.gpuflow.scan.Signatures;
import io.gpuflow.scan.Unread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What the logs, dumps and records of one job say, unjudged.
 *
 * @param name what tells the job from others here: a folder or file
 * @param facts what they say
 * @param unread what was named or found and not read, or not to its end
 * @param passed whether all steps of a run of gpuflow did what they should, or null
 */
public record JobEvidence(String name, List<Observed> facts, List<Unread> unread, Boolean passed) {
    /**
     * Reads everything below the paths: files, folders, archives; {@code -} is standard input.
     *
     * @param ras addresses where NCCL's RAS answers
     * @return one entry a job
     */
    public static List<JobEvidence> read(List<Path> paths, List<String> ras) {
        return read(paths, ras, Signatures::builtIn);
    }

    /**
     * Reads everything below the paths with these signatures.
     *
     * @param signatures asked for when there is a log to read
     */
    public static List<JobEvidence> read(
            List<Path> paths, List<String> ras, Supplier<Signatures> signatures) {
        List<JobEvidence> jobs = new ArrayList<>();
        List<Path> rest = new ArrayList<>();
        List<Unread> ofBundles = new ArrayList<>();
        for (Path path : paths) {
            List<Path> runs = StoredRuns.at(path);
            if (runs.isEmpty()) {
                rest.add(path);
            }
            for (Path run : runs) {
                BundleFile bundle = BundleFile.open(run);
                if (bundle == null) {
                    jobs.add(ofRun(RunRecord.of(run), List.of(), signatures));
                } else if (bundle.isRun()) {
                    jobs.add(ofRun(RunRecord.of(bundle), bundle.problems(), signatures));
                } else {
                    rest.add(run);
                    ofBundles.addAll(bundle.problems());
                }
            }
        }
        if (!rest.isEmpty() || !ras.isEmpty()) {
            jobs.addAll(ofFiles(rest, ras, signatures.get(), ofBundles));
        }
        return jobs;
    }

    /**
     * Reads files that are known to be of one job: what the steps of a run left.
     *
     * @param signatures asked for when there is something to read
     */
    public static JobEvidence ofOneJob(List<Path> files, Supplier<Signatures> signatures) {
        return ofOneJob(files, file -> true, signatures);
    }

    private static JobEvidence ofOneJob(
            List<Path> files, Predicate<String> names, Supplier<Signatures> signatures) {
        OtherEvidence others = new OtherEvidence();
        Logs logs = new Logs(signatures.get(), others).only(names);
        logs.read(files);
        List<Observed> facts = new ArrayList<>(logs.any() ? logs.facts() : List.of());
        others.facts().values().forEach(facts::addAll);
        return evidence("this run", facts, logs.unread());
    }

    /** What the steps of a run recorded: it judged their output with all that it knew of it. */
    private static JobEvidence ofRun(
            RunRecord run, List<Unread> problems, Supplier<Signatures> signatures) {
        String name = run.path().toString();
        List<Unread> unread = new ArrayList<>(problems);
        try {
            List<Observed> facts = new ArrayList<>(RunFacts.of(run));
            Set<String> failed = FailedOutput.folders(run, facts);
            if (!failed.isEmpty()) {
                JobEvidence read =
                        ofOneJob(
                                List.of(run.path()),
                                file -> FailedOutput.isIn(failed, file),
                                signatures);
                facts.addAll(read.facts());
                read.unread().stream().filter(Unread::evidence).forEach(unread::add);
            }
            return new JobEvidence(name, facts, unread, RunFacts.passed(run));
        } catch (IOException | RuntimeException e) {
            String why = "the record of this run can't be read: " + e.getMessage();
            unread.add(new Unread(name, why, true));
            return new JobEvidence(name, List.of(), unread, null);
        }
    }

    private static List<JobEvidence> ofFiles(
            List<Path> paths, List<String> ras, Signatures signatures, List<Unread> known) {
        OtherEvidence others = new OtherEvidence();
        Logs logs = new Logs(signatures, others);
        logs.read(paths);
        List<Unread> unread = new ArrayList<>(logs.unread());
        known.stream().filter(k -> unread.stream().noneMatch(k::equals)).forEach(unread::add);
        unread.addAll(LiveRas.into(others, ras));
        List<Logs.JobLogs> jobs = logs.any() ? logs.jobs() : List.of();
        Map<String, List<Observed>> other = others.facts();
        if (jobs.size() < 2) {
            List<Observed> facts = new ArrayList<>(jobs.isEmpty() ? none() : jobs.get(0).facts());
            other.values().forEach(facts::addAll);
            return List.of(evidence("the files given", facts, unread));
        }
        Map<Logs.JobLogs, List<Observed>> byJob = new LinkedHashMap<>();
        jobs.forEach(job -> byJob.put(job, new ArrayList<>(job.facts())));
        List<JobEvidence> alone = new ArrayList<>();
        other.forEach(
                (folder, f) -> {
                    Logs.JobLogs owner = owner(folder, jobs);
                    if (owner != null) {
                        byJob.get(owner).addAll(f);
                    } else {
                        List<Observed> facts = new ArrayList<>(none());
                        facts.addAll(f);
                        String name = folder.isEmpty() ? "what no log goes with" : folder;
                        alone.add(evidence(name, facts, unread));
                    }
                });
        List<JobEvidence> all = new ArrayList<>();
        byJob.forEach((job, facts) -> all.add(evidence(job.name(), facts, unread)));
        all.addAll(alone);
        return all;
    }

    /**
     * The job whose logs lie nearest to what a folder holds; null when several lie equally near:
     * what is another job's would make a wrong cause.
     */
    private static Logs.JobLogs owner(String folder, List<Logs.JobLogs> jobs) {
        for (String near = folder; ; near = OtherEvidence.folder(near)) {
            String prefix = near.isEmpty() ? "" : near + "/";
            List<Logs.JobLogs> those = with(jobs, j -> j.files().stream(), prefix);
            if (those.size() > 1) {
                // Small files without a time of their own may have gone to another job's logs.
                those = with(those, j -> Stream.of(j.name() + "/"), prefix);
            }
            if (!those.isEmpty() || near.isEmpty()) {
                return those.size() == 1 ? those.get(0) : null;
            }
        }
    }

    private static List<Logs.JobLogs> with(
            List<Logs.JobLogs> jobs, Function<Logs.JobLogs, Stream<String>> files, String prefix) {
        return jobs.stream()
                .filter(job -> files.apply(job).anyMatch(f -> f.startsWith(prefix)))
                .toList();
    }

    private static List<Observed> none() {
        Unknown unknown = new Unknown("Incident", "no log could be read");
        return List.of(new Observed(unknown, Source.of("the paths given")));
    }

    private static JobEvidence evidence(String name, List<Observed> facts, List<Unread> unread) {
        List<Observed> joined = List.copyOf(ProcessEvidence.joined(facts));
        return new JobEvidence(name, joined, List.copyOf(unread), null);
    }
}
