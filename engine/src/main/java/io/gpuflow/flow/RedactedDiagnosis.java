package io.gpuflow.flow;

import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.LogEvent;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Sighting;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Verdict;
import io.gpuflow.scan.Unread;
import io.gpuflow.tool.Redactor;
import java.util.ArrayList;
import java.util.List;

/**
 * A diagnosis that may leave the house: hosts, addresses, users and paths are replaced by stable
 * names, the same everywhere in it.
 */
public final class RedactedDiagnosis {
    private final Redactor redactor = new Redactor();

    private RedactedDiagnosis() {}

    public static List<Diagnosis> of(List<Diagnosis> jobs) {
        RedactedDiagnosis r = new RedactedDiagnosis();
        jobs.forEach(r::learn);
        return jobs.stream().map(r::of).toList();
    }

    private Diagnosis of(Diagnosis d) {
        return new Diagnosis(
                text(d.job()),
                d.outcome(),
                d.note() == null ? null : text(d.note()),
                d.verdicts().stream().map(this::verdict).toList(),
                d.facts().stream()
                        .filter(o -> o.fact() instanceof LogEvent)
                        .map(this::told)
                        .toList(),
                d.unread().stream()
                        .map(u -> new Unread(text(u.file()), text(u.why()), u.evidence()))
                        .toList(),
                site(d.site()));
    }

    private Judgement.Site site(Judgement.Site s) {
        return new Judgement.Site(
                s.files().stream()
                        .map(f -> new Judgement.PolicyFile(text(f.path()), f.sha256()))
                        .toList(),
                s.broken().stream()
                        .map(b -> new Judgement.Broken(b.rule(), text(b.at()), text(b.why())))
                        .toList(),
                s.suppressed().stream()
                        .map(
                                x ->
                                        new Judgement.Suppressed(
                                                x.rule(),
                                                text(x.says()),
                                                text(x.because()),
                                                text(x.at())))
                        .toList(),
                s.vetoes().stream()
                        .map(v -> new Judgement.Forbidden(v.what(), v.by(), text(v.because())))
                        .toList(),
                s.vetoed().stream()
                        .map(
                                v ->
                                        new Judgement.Vetoed(
                                                v.what(), v.advisedBy(), v.by(), text(v.because())))
                        .toList());
    }

    private void learn(Diagnosis d) {
        List<String> hosts = new ArrayList<>();
        d.verdicts().forEach(v -> hosts.addAll(v.hosts()));
        for (Observed o : d.facts()) {
            if (o.fact() instanceof LogEvent e && e.host() != null) {
                hosts.add(e.host());
            }
            if (o.fact() instanceof Sighting s) {
                hosts.addAll(s.hosts());
            }
            redactor.learn(o.source().excerpt());
        }
        if (d.note() != null) {
            redactor.learn(d.note());
        }
        redactor.hosts(hosts);
    }

    private Verdict verdict(Verdict v) {
        return new Verdict(
                v.id(),
                v.area(),
                v.cause(),
                v.role(),
                v.level(),
                v.under(),
                v.confidence(),
                v.ranks(),
                v.hosts().stream().map(this::host).toList(),
                text(v.says()),
                text(v.why()),
                v.fixes().stream().map(this::fix).toList(),
                v.evidence().stream().map(this::source).toList(),
                v.proof().stream().map(this::text).toList(),
                java.util.Map.of());
    }

    private Verdict.Fix fix(Verdict.Fix f) {
        java.util.Map<String, String> env = new java.util.LinkedHashMap<>();
        if (f.env() != null) {
            f.env().forEach((name, value) -> env.put(name, text(value)));
        }
        return new Verdict.Fix(f.kind(), f.who(), text(f.text()), env, f.cost());
    }

    private Observed told(Observed o) {
        LogEvent e = (LogEvent) o.fact();
        return new Observed(
                new LogEvent(e.signature(), e.rank(), host(e.host()), e.time(), java.util.Map.of()),
                source(o.source()));
    }

    private Source source(Source s) {
        return new Source(text(s.text()), s.line(), text(s.excerpt()));
    }

    /** A host's name alone may be too short to be found in text. */
    private String host(String name) {
        return name == null ? null : redactor.redact("host", name);
    }

    private String text(String text) {
        return text == null ? null : redactor.redact(text);
    }
}
