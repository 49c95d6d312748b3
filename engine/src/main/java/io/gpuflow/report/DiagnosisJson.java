package io.gpuflow.report;

import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The contract of {@code diagnose --json}, as plain values for {@link JsonPrinter}. */
public final class DiagnosisJson {
    private DiagnosisJson() {}

    /**
     * One job's part.
     *
     * @param name what tells it from the others
     * @param outcome fault, healthy or unknown
     * @param note why it is unknown, or null
     * @param timeline who said what when, or null when nobody asked
     */
    public record Job(
            String name,
            String outcome,
            String note,
            List<Verdict> verdicts,
            Map<String, Object> timeline) {}

    /**
     * @param outcome of all jobs together
     * @param unread what could not be read, with the reason
     * @param redacted whether private things were replaced
     * @param site what the site's policy had to do with it
     */
    public static Map<String, Object> of(
            String outcome,
            List<Job> jobs,
            Map<String, String> unread,
            boolean redacted,
            Judgement.Site site) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("gpuflow", 1);
        object.put("verdict", outcome);
        if (jobs.size() == 1) {
            Job job = jobs.get(0);
            if (job.note() != null) {
                object.put("note", job.note());
            }
            object.put("findings", VerdictValues.of(job.verdicts()));
            if (job.timeline() != null) {
                object.put("timeline", job.timeline());
            }
        } else {
            object.put("findings", findings(jobs));
            object.put("jobs", jobs.stream().map(DiagnosisJson::job).toList());
        }
        if (redacted) {
            object.put("redacted", true);
        }
        List<Map<String, Object>> left = new ArrayList<>();
        unread.forEach(
                (file, why) -> {
                    Map<String, Object> entry = new LinkedHashMap<>();
                    entry.put("file", file);
                    entry.put("why", why);
                    left.add(entry);
                });
        object.put("unread", left);
        SiteValues.into(object, site);
        return object;
    }

    /** Of all jobs, roots first; each names its job. */
    private static List<Map<String, Object>> findings(List<Job> jobs) {
        record Of(Job job, Verdict verdict) {}
        List<Of> all = new ArrayList<>();
        jobs.forEach(j -> j.verdicts().forEach(v -> all.add(new Of(j, v))));
        all.sort(Comparator.comparing(o -> o.verdict.role() != Verdict.Role.ROOT));
        return all.stream()
                .map(
                        o -> {
                            Map<String, Object> values = VerdictValues.of(o.verdict);
                            values.put("job", o.job.name());
                            return values;
                        })
                .toList();
    }

    private static Map<String, Object> job(Job job) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("job", job.name());
        values.put("verdict", job.outcome());
        values.put("note", job.note());
        if (job.timeline() != null) {
            values.put("timeline", job.timeline());
        }
        return values;
    }
}
