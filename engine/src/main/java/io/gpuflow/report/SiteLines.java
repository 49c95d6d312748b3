package io.gpuflow.report;

import io.gpuflow.facts.Judgement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a site's policy had to do with a judgement, for a person: files, and what was left out. */
public final class SiteLines {
    private static final int HASH_SHOWN = 12;
    private static final int FILES_SHOWN = 4;
    private static final int MOST = 8;

    private final Style style;
    private final Wrap wrap;
    private final List<String> lines = new ArrayList<>();

    public SiteLines(Terminal terminal) {
        this.style = terminal.style();
        this.wrap = new Wrap(terminal.width());
    }

    /** Nothing when no policy was in force. */
    public List<String> lines(Judgement.Site site) {
        if (site.files().isEmpty()) {
            return List.of();
        }
        lines.add("");
        for (Judgement.Broken b : site.broken()) {
            String at = b.at().isEmpty() ? "" : " (" + b.at() + ")";
            add(style.word("unknown", "broken") + ": own rule " + b.rule() + at + ": ", b.why());
        }
        Map<String, Set<String>> vetoed = new LinkedHashMap<>();
        for (Judgement.Vetoed v : site.vetoed()) {
            String why = v.because() + " (" + v.by() + ")";
            vetoed.computeIfAbsent(why, w -> new LinkedHashSet<>()).add(v.what());
        }
        Set<String> vetoes = new LinkedHashSet<>();
        vetoed.forEach((why, whats) -> vetoes.add(String.join(", ", whats) + ": " + why));
        some(vetoes, "vetoed: ");
        Set<String> suppressed = new LinkedHashSet<>();
        for (Judgement.Suppressed s : site.suppressed()) {
            suppressed.add(s.rule() + ": " + s.because() + " (" + s.at() + ")");
        }
        some(suppressed, "not told: ");
        files(site.files());
        return lines;
    }

    private void some(Set<String> texts, String head) {
        texts.stream().limit(MOST).forEach(text -> add(head, text));
        if (texts.size() > MOST) {
            lines.add(" ".repeat(head.length()) + "and " + (texts.size() - MOST) + " more");
        }
    }

    private void files(List<Judgement.PolicyFile> files) {
        List<String> shown = new ArrayList<>();
        for (Judgement.PolicyFile file : files.subList(0, Math.min(FILES_SHOWN, files.size()))) {
            shown.add(file.path() + " " + file.sha256().substring(0, HASH_SHOWN));
        }
        int more = files.size() - shown.size();
        add(
                style.dim("policy: "),
                String.join(", ", shown)
                        + (more > 0 ? " and " + more + " more files; --json has all" : ""));
    }

    private void add(String head, String text) {
        lines.addAll(wrap.hanging(head, 6, SafeText.line(text)));
    }
}
