package io.gpuflow.cli;

import io.gpuflow.flow.Catalog;
import io.gpuflow.parse.Parsers;
import io.gpuflow.rules.FactScope;
import io.gpuflow.step.StepCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The names that a workflow may refer to, from the packages that have them. */
final class Catalogs {
    /** Areas that a workflow may name in any case: a site may be the first to have rules there. */
    private static final List<String> AREAS =
            List.of(
                    "hardware",
                    "driver",
                    "interconnect",
                    "memory",
                    "parallelism",
                    "bench",
                    "logs",
                    "ranks",
                    "network",
                    "cluster",
                    "site");

    /** Folders of rules/ that hold no rules. */
    private static final Set<String> NO_AREAS = Set.of("signatures");

    private Catalogs() {}

    static Catalog shipped() {
        return new Catalog(StepCatalog.all(), Catalogs::areas, Catalogs::parsers, FactScope::type);
    }

    private static Set<String> areas() {
        Set<String> areas = new LinkedHashSet<>(AREAS);
        Path rules = Path.of(System.getProperty("gpuflow.home", ".")).resolve("rules");
        try (Stream<Path> list = Files.list(rules)) {
            list.filter(Files::isDirectory)
                    .map(folder -> folder.getFileName().toString())
                    .filter(name -> !NO_AREAS.contains(name))
                    .sorted()
                    .forEach(areas::add);
        } catch (IOException e) {
            // Without its folder a shipped area is not known, and the workflow that names it is
            // refused with the list of those that are.
            return areas;
        }
        return areas;
    }

    private static Set<String> parsers() {
        Set<String> kinds = new LinkedHashSet<>();
        Parsers.all().forEach(parser -> kinds.add(parser.kind()));
        return kinds;
    }
}
