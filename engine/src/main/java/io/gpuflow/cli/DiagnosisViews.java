package io.gpuflow.cli;

import io.gpuflow.flow.Diagnosis;
import io.gpuflow.report.DiagnosisJson;
import io.gpuflow.report.DiagnosisText;
import io.gpuflow.report.Terminal;
import io.gpuflow.report.Timeline;
import io.gpuflow.report.TimelineText;
import io.gpuflow.scan.Unread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What is shown of the diagnoses of one or several jobs. */
final class DiagnosisViews {
    private static final String REDACTED =
            "Redacted: hosts, addresses, users, paths and tokens are replaced by stable names; read"
                    + " it through before it leaves the house.";

    private DiagnosisViews() {}

    static Map<String, Object> json(List<Diagnosis> jobs, boolean timeline, boolean redacted) {
        List<DiagnosisJson.Job> values =
                jobs.stream()
                        .map(
                                d ->
                                        new DiagnosisJson.Job(
                                                d.job(),
                                                word(d.outcome()),
                                                d.note(),
                                                d.verdicts(),
                                                timeline ? Timeline.of(d.facts()) : null))
                        .toList();
        return DiagnosisJson.of(
                word(Diagnosis.worst(jobs)), values, unread(jobs), redacted, jobs.get(0).site());
    }

    static List<String> lines(
            List<Diagnosis> jobs,
            Terminal terminal,
            boolean explain,
            boolean timeline,
            boolean redacted) {
        DiagnosisText text = new DiagnosisText(terminal.style(), terminal.width(), explain);
        List<String> lines = new ArrayList<>();
        if (jobs.size() > 1) {
            lines.add(
                    terminal.style().bold(jobs.size() + " jobs were seen")
                            + ", each is judged by itself. If they are one, name its files.");
        }
        for (Diagnosis d : jobs) {
            if (jobs.size() > 1) {
                lines.add("");
                lines.add(terminal.style().bold("Job " + d.job()));
            }
            lines.addAll(text.lines(word(d.outcome()), d.note(), d.verdicts()));
            if (timeline) {
                lines.add("");
                lines.addAll(new TimelineText(d.facts()).lines());
            }
        }
        lines.addAll(text.unread(unread(jobs)));
        if (redacted) {
            lines.add("");
            lines.add(REDACTED);
        }
        return lines;
    }

    private static String word(Diagnosis.Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    private static Map<String, String> unread(List<Diagnosis> jobs) {
        Map<String, String> unread = new LinkedHashMap<>();
        for (Diagnosis job : jobs) {
            for (Unread u : job.unread()) {
                unread.put(u.file(), u.why());
            }
        }
        return unread;
    }
}
