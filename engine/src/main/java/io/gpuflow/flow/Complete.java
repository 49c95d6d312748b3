package io.gpuflow.flow;

import static java.util.Objects.requireNonNull;

import io.gpuflow.facts.Advice;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Unknown;
import io.gpuflow.facts.Verdict;
import java.util.List;

/** Refuses a judgement from a damaged journal that has holes where readers expect something. */
final class Complete {
    private Complete() {}

    static Judgement judgement(Judgement judgement) {
        all(judgement.verdicts()).forEach(Complete::verdict);
        for (Advice advice : all(judgement.advice())) {
            requireNonNull(advice.rule());
            requireNonNull(advice.experiment());
        }
        for (Judgement.Untold untold : all(judgement.untold())) {
            requireNonNull(untold.rule());
            requireNonNull(untold.area());
            for (Unknown missing : all(untold.missing())) {
                requireNonNull(missing.what());
                requireNonNull(missing.why());
            }
        }
        all(judgement.notes());
        all(judgement.site().files()).forEach(f -> requireNonNull(f.sha256()));
        all(judgement.site().broken()).forEach(b -> requireNonNull(b.at()));
        all(judgement.site().suppressed());
        all(judgement.site().vetoes()).forEach(v -> requireNonNull(v.what()));
        all(judgement.site().vetoed());
        return judgement;
    }

    private static void verdict(Verdict verdict) {
        requireNonNull(verdict.id());
        requireNonNull(verdict.area());
        requireNonNull(verdict.role());
        requireNonNull(verdict.level());
        requireNonNull(verdict.says());
        requireNonNull(verdict.values());
        all(verdict.ranks());
        all(verdict.hosts());
        for (Verdict.Fix fix : all(verdict.fixes())) {
            requireNonNull(fix.kind());
            requireNonNull(fix.text());
        }
        for (Source source : all(verdict.evidence())) {
            requireNonNull(source.text());
            requireNonNull(source.excerpt());
        }
    }

    /** The list, when neither it nor an item is missing. */
    static <T> List<T> all(List<T> list) {
        requireNonNull(list).forEach(java.util.Objects::requireNonNull);
        return list;
    }
}
