package io.gpuflow.report;

import io.gpuflow.facts.Judgement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a site's policy had to do with a judgement, as plain values for {@code --json}. */
final class SiteValues {
    private SiteValues() {}

    /** Adds the key policy; nothing when no policy was in force. */
    static void into(Map<String, Object> object, Judgement.Site site) {
        if (site.files().isEmpty()) {
            return;
        }
        List<Object> files = new ArrayList<>();
        site.files().forEach(f -> files.add(map("path", f.path(), "sha256", f.sha256())));
        List<Object> broken = new ArrayList<>();
        site.broken().forEach(b -> broken.add(map("rule", b.rule(), "at", b.at(), "why", b.why())));
        List<Object> suppressed = new ArrayList<>();
        site.suppressed()
                .forEach(
                        s ->
                                suppressed.add(
                                        map(
                                                "rule",
                                                s.rule(),
                                                "says",
                                                s.says(),
                                                "because",
                                                s.because(),
                                                "at",
                                                s.at())));
        List<Object> vetoed = new ArrayList<>();
        site.vetoed()
                .forEach(
                        v ->
                                vetoed.add(
                                        map(
                                                "what",
                                                v.what(),
                                                "advised_by",
                                                v.advisedBy(),
                                                "by",
                                                v.by(),
                                                "because",
                                                v.because())));
        object.put(
                "policy",
                map("files", files, "broken", broken, "suppressed", suppressed, "vetoed", vetoed));
    }

    private static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }
}
