package io.gpuflow.cli;

import io.gpuflow.flow.Workflow;
import io.gpuflow.flow.lint.WorkflowReader;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.rules.folder.CardReader;
import io.gpuflow.rules.folder.CaseReader;
import io.gpuflow.rules.folder.RuleCase;
import io.gpuflow.rules.site.SitePolicy;
import io.gpuflow.rules.site.SiteReader;
import io.gpuflow.rules.site.SiteRules;
import io.gpuflow.yaml.Problem;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.Shape;
import io.gpuflow.yaml.YamlDocument;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * The kinds of YAML files that people write for gpuflow: how one is checked and described. To add
 * one, add a constant.
 */
enum FileKind {
    WORKFLOW("workflow", FileKind::workflow, () -> new WorkflowReader(Catalogs.shipped()).schema()),
    RULE("rule", FileKind::rule, () -> new CardReader("").shape().schema()),
    CASES("cases", FileKind::cases, () -> CaseReader.shape().schema()),
    SITE("site", FileKind::site, () -> SiteReader.shape().schema());

    /** The word on the command line. */
    final String word;

    /** Reads a file and says in a few words what is in it; null when problems were reported. */
    final BiFunction<Path, Problems, String> check;

    /** JSON Schema without its head. */
    final Supplier<Map<String, Object>> schema;

    FileKind(
            String word,
            BiFunction<Path, Problems, String> check,
            Supplier<Map<String, Object>> schema) {
        this.word = word;
        this.check = check;
        this.schema = schema;
    }

    /** The kind with this word, or null. */
    static FileKind named(String word) {
        for (FileKind kind : values()) {
            if (kind.word.equals(word)) {
                return kind;
            }
        }
        return null;
    }

    /** The kind that a file of this name is of; a workflow may have any name. */
    static FileKind of(Path file) {
        FileKind kind = named(String.valueOf(file.getFileName()).replaceFirst("\\.yaml$", ""));
        return kind == null ? WORKFLOW : kind;
    }

    private static String rule(Path file, Problems problems) {
        Path area = file.toAbsolutePath().normalize().getParent().getParent();
        String name =
                area == null || area.getFileName() == null ? "" : area.getFileName().toString();
        RuleCard card = read(file, new CardReader(name).shape(), problems);
        return card == null ? null : "rule " + card.id();
    }

    private static String cases(Path file, Problems problems) {
        List<RuleCase> cases = read(file, CaseReader.shape(), problems);
        return cases == null ? null : counted(cases.size(), "case");
    }

    /** A policy is checked against the rules that it is about, and so is what it adds. */
    private static String site(Path file, Problems problems) {
        SiteRules rules =
                SiteRules.load(
                        file,
                        ShippedRules.cards(),
                        SiteRules.Setup.of(System.getenv(), List.of()),
                        problems);
        for (Problem p : rules.ownProblems().all()) {
            problems.at(p.at(), p.says(), p.next());
        }
        SitePolicy site = rules.site();
        int entries =
                site.set().size()
                        + site.ignore().size()
                        + site.except().size()
                        + site.expected().size()
                        + site.add().size();
        return problems.isEmpty()
                ? "policy with " + (entries == 1 ? "1 entry" : entries + " entries")
                : null;
    }

    private static <T> T read(Path file, Shape<T> shape, Problems problems) {
        YamlDocument document = YamlDocument.read(file, problems);
        return document == null ? null : shape.read(document.root(), problems);
    }

    private static String counted(int count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    private static String workflow(Path file, Problems problems) {
        Workflow workflow = new WorkflowReader(Catalogs.shipped()).read(file, problems);
        return workflow == null ? null : counted(workflow.steps().size(), "step");
    }
}
