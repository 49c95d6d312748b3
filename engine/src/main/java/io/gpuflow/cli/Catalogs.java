package io.gpuflow.cli;

import io.gpuflow.flow.Catalog;
import io.gpuflow.flow.FactScope;
import io.gpuflow.parse.Parsers;
import io.gpuflow.step.StepCatalog;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The names that a workflow may refer to, from the packages that have them. */
final class Catalogs {
    /** Folders of rules/, in the order of a run. */
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
                    "cluster");

    private Catalogs() {}

    static Catalog shipped() {
        return new Catalog(
                StepCatalog.all(), new LinkedHashSet<>(AREAS), Catalogs::parsers, FactScope::type);
    }

    private static Set<String> parsers() {
        Set<String> kinds = new LinkedHashSet<>();
        Parsers.all().forEach(parser -> kinds.add(parser.kind()));
        return kinds;
    }
}
