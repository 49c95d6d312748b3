package io.gpuflow.cli;

import io.gpuflow.flow.Catalog;
import io.gpuflow.flow.OwnParser;
import io.gpuflow.flow.lint.ParserFile;
import io.gpuflow.parse.Parser;
import io.gpuflow.parse.Parsers;
import io.gpuflow.rules.Policy;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.rules.site.SitePolicy.Kind;
import io.gpuflow.rules.site.SiteRules;
import io.gpuflow.scan.Signatures;
import io.gpuflow.yaml.Problems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** What holds here for a command: the rules, and what the site adds beside them. */
final class SiteInForce {
    private final SiteRules rules;
    private final Map<String, OwnParser> parsers = new LinkedHashMap<>();

    private SiteInForce(SiteRules rules) {
        this.rules = rules;
    }

    /** Without a policy: nothing is read before it is asked for. */
    static SiteInForce none() {
        return new SiteInForce(null);
    }

    /**
     * @param problems what is wrong with own parsers: a workflow that names one can't be read then
     */
    static SiteInForce of(SiteRules rules, Problems problems) {
        SiteInForce site = new SiteInForce(rules);
        for (Path file : rules.paths(Kind.PARSERS)) {
            ParserFile.read(file, problems)
                    .forEach(
                            (name, parser) -> {
                                if (Parsers.named(name) != null) {
                                    problems.file(
                                            file.toString(),
                                            name + " is a parser of gpuflow",
                                            "name it otherwise");
                                }
                                site.parsers.put(name, parser);
                            });
        }
        return site;
    }

    /** The rules in force. */
    Supplier<Policy> policy() {
        return rules == null ? () -> Policy.shipped(ShippedRules.cards()) : rules::policy;
    }

    /** The signatures of logs, own ones among them. */
    Signatures signatures() {
        return rules == null || rules.signatures().isEmpty()
                ? Signatures.builtIn()
                : Signatures.builtIn().with(rules.signatures());
    }

    Parser<?> parser(String name) {
        return parsers.containsKey(name) ? parsers.get(name) : Parsers.named(name);
    }

    /** What a workflow may refer to, own parsers among it. */
    Catalog catalog() {
        Catalog shipped = Catalogs.shipped();
        return parsers.isEmpty()
                ? shipped
                : new Catalog(
                        shipped.actions(),
                        shipped.areas(),
                        () -> {
                            Set<String> names = new LinkedHashSet<>(shipped.parsers().get());
                            names.addAll(parsers.keySet());
                            return names;
                        },
                        shipped.facts());
    }

    /** Folders of baselines of the site's machines. */
    List<Path> baselines() {
        return rules == null ? List.of() : rules.paths(Kind.BASELINES);
    }

    /**
     * The workflow that was named: a path, one of the site's own, or one that comes with gpuflow.
     */
    Path workflow(Path named) {
        List<Path> folders = rules == null ? List.of() : rules.paths(Kind.WORKFLOWS);
        if (!Files.exists(named) && named.getNameCount() == 1) {
            for (Path folder : folders) {
                for (String ending : List.of("", ".yaml")) {
                    Path own = folder.resolve(named + ending);
                    if (Files.isRegularFile(own)) {
                        return own;
                    }
                }
            }
        }
        return WorkflowFile.find(named);
    }
}
