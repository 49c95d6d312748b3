package io.gpuflow.report;

import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The contract of {@code diagnose --json}, as plain values for {@link JsonPrinter}. */
public final class DiagnosisJson {
    private DiagnosisJson() {}

    /**
     * @param outcome fault, healthy or unknown
     * @param note why it is unknown, or null
     * @param unread what could not be read, with the reason
     * @param site what the site's policy had to do with it
     */
    public static Map<String, Object> of(
            String outcome,
            String note,
            List<Verdict> verdicts,
            Map<String, String> unread,
            Judgement.Site site) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("gpuflow", 1);
        object.put("verdict", outcome);
        if (note != null) {
            object.put("note", note);
        }
        object.put("findings", VerdictValues.of(verdicts));
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
}
