package io.gpuflow.rules.site;

import io.gpuflow.expr.Expr;
import io.gpuflow.facts.Verdict;
import io.gpuflow.yaml.Position;
import io.gpuflow.yaml.YamlNode;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * What a site.yaml says, as it stands there: names are not resolved and values not checked against
 * the rules that they are about; {@link SiteRules} does that.
 *
 * @param file the file; null for {@link #NONE}
 * @param about one line for people, or empty
 * @param set thresholds and levels that differ from the shipped ones
 * @param ignore rules that do not speak here
 * @param except findings that are not told under a condition
 * @param expected figures that machines of a type must reach
 * @param add own rules, signatures, workflows and parsers
 */
public record SitePolicy(
        Path file,
        String about,
        List<Change> set,
        List<Ignored> ignore,
        List<Exemption> except,
        List<Expected> expected,
        List<Addition> add) {
    public static final SitePolicy NONE =
            new SitePolicy(null, "", List.of(), List.of(), List.of(), List.of(), List.of());

    /**
     * What every entry must give account of.
     *
     * @param because why it is so here
     * @param until last day on which it holds, or null for always
     * @param at where the entry begins
     */
    public record Reason(String because, LocalDate until, Position at) {
        /** Whether it holds no longer. */
        public boolean expired(LocalDate today) {
            return until != null && today.isAfter(until);
        }
    }

    /** A rule id and where it is written. */
    public record Named(String id, Position at) {
        @Override
        public String toString() {
            return id;
        }
    }

    /**
     * Changes a rule without copying it.
     *
     * @param to settings by name, as they stand in the file; each node has its position
     * @param level the level it has here, or null when that stays
     */
    public record Change(Named rule, Map<Named, YamlNode> to, Verdict.Level level, Reason reason) {}

    public record Ignored(Named rule, Reason reason) {}

    /**
     * Findings of a rule that are not told.
     *
     * @param when over {@code facts}, and {@code values}, {@code hosts} and {@code ranks} of the
     *     finding; the finding is told unless this is known to be true
     * @param node where the condition stands
     */
    public record Exemption(Named rule, Expr when, YamlNode node, Reason reason) {}

    /**
     * What machines of one type reach when they are well.
     *
     * @param machine name of the type, an id
     * @param when over {@code facts}: which machines these are
     * @param figures by collective: all_reduce, all_gather …
     */
    public record Expected(
            Named machine, Expr when, YamlNode node, Map<Named, Figure> figures, Reason reason) {}

    /**
     * A figure with its band.
     *
     * @param target bus bandwidth at the largest message, GB/s (10⁹ bytes)
     * @param warn share below the target from which on it warns: 0.1 for -10%; null for never
     * @param fail share below the target from which on it fails, or null for never
     */
    public record Figure(double target, Double warn, Double fail, Position at) {}

    /** What an addition brings. */
    public enum Kind {
        /** A check that stands in site.yaml itself. */
        CHECK,
        /** A file of YAML checks, or a folder of such files. */
        CHECKS,
        /** A folder AREA/ID/ with rule.drl, rule.yaml, cases.yaml. */
        RULES,
        /** A file or folder of log signatures. */
        SIGNATURES,
        /** A folder of workflows. */
        WORKFLOWS,
        /** A file of parsers by {@code extract:}. */
        PARSERS,
        /** A file of expected figures. */
        EXPECTED,
        /** A folder of baselines of the site's machines. */
        BASELINES
    }

    /**
     * Something of the site's own.
     *
     * @param path as written, relative to the folder of site.yaml; null for a check in place
     * @param node what stands behind the key, for messages; the check itself for a check in place
     */
    public record Addition(Kind kind, String path, YamlNode node, Reason reason) {
        /** The path from where gpuflow runs. */
        public Path resolved(Path site) {
            Path folder = site.getParent();
            return folder == null ? Path.of(path) : folder.resolve(path).normalize();
        }
    }
}
