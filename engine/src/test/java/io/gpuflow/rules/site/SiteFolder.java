package io.gpuflow.rules.site;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.LinkClass;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Topology;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.yaml.Problems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A site's folder in a test. */
final class SiteFolder {
    final Path folder;
    final List<String> progress = new ArrayList<>();
    List<Path> evidence = List.of();
    Problems problems = new Problems();

    SiteFolder(Path folder) {
        this.folder = folder;
    }

    /** Writes a file that nobody else may write. */
    SiteFolder with(String name, String text) {
        try {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
            for (Path up = file.getParent(); !up.equals(folder.getParent()); up = up.getParent()) {
                Files.setPosixFilePermissions(up, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes site.yaml under its first line. */
    SiteFolder site(String text) {
        return with("site.yaml", "gpuflow-site: 1\n" + text);
    }

    /** Writes a rule that fires for a topology with fewer GPUs than eight. */
    SiteFolder rule(String area, String id) {
        return rule(
                area,
                id,
                "  Topology( gpuCount < 8, $gpus : gpuCount )",
                "insertLogical( new Finding( \"" + id + "\", Map.of( \"gpus\", $gpus ) ) );");
    }

    SiteFolder rule(String area, String id, String when, String then) {
        String at = "rules/" + area + "/" + id + "/";
        with(
                at + "rule.drl",
                "package gpuflow.rules."
                        + area
                        + "\n\nimport io.gpuflow.facts.*\nimport java.util.Map\n\nrule \""
                        + id
                        + "\"\nwhen\n"
                        + when
                        + "\nthen\n  "
                        + then
                        + "\nend\n");
        return with(
                at + "rule.yaml",
                "id: "
                        + id
                        + "\nsince: \"1\"\nlevel: warn\nneeds: [Topology]\nsays: \"${{ gpus }} GPUs\"\n"
                        + "why: eight are in the contract\n"
                        + "fix: [ { kind: test, who: admin, text: look, cost: none } ]\n");
    }

    SiteRules load() {
        problems = new Problems();
        return SiteRules.load(
                folder.resolve("site.yaml"),
                ShippedRules.cards(),
                new SiteRules.Setup(
                        LocalDate.of(2026, 12, 1),
                        evidence,
                        folder.resolve("cache"),
                        progress::add),
                problems);
    }

    Judgement judge(Fact... facts) {
        List<Observed> observed = new ArrayList<>();
        for (Fact fact : facts) {
            observed.add(new Observed(fact, Source.of("test")));
        }
        return ShippedRules.loaded(load().policy()).judge(observed, Set.of());
    }

    static Topology fourOnPcie() {
        return new Topology(LinkClass.PCIE_ONLY, 4, List.of());
    }

    /** Every problem of site.yaml, a line each, without the folder. */
    List<String> told() {
        return problems.all().stream()
                .map(
                        p ->
                                p.at().line()
                                        + ":"
                                        + p.at().column()
                                        + " "
                                        + p.says()
                                        + (p.next().isEmpty() ? "" : " | " + p.next()))
                .toList();
    }

    static List<String> ids(Judgement judgement) {
        return judgement.verdicts().stream().map(v -> v.id()).toList();
    }
}
