package io.gpuflow.rules.site;

import io.gpuflow.facts.Judgement.Broken;
import io.gpuflow.rules.check.Check;
import io.gpuflow.rules.check.CheckReader;
import io.gpuflow.rules.site.SitePolicy.Addition;
import io.gpuflow.rules.site.SitePolicy.Expected;
import io.gpuflow.scan.Signature;
import io.gpuflow.scan.Signatures;
import io.gpuflow.yaml.Problem;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.Shapes;
import io.gpuflow.yaml.SignatureFiles;
import io.gpuflow.yaml.YamlDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Reads the YAML files that a site.yaml adds. One that is wrong leaves the others alone. */
final class OwnFiles {
    private static final int MOST_FILES = 10_000;
    private static final int DEEPEST = 8;

    private final SiteRules rules;
    private final Set<String> taken = new HashSet<>();

    OwnFiles(SiteRules rules) {
        this.rules = rules;
    }

    void load(SitePolicy site) {
        for (Addition addition : site.add()) {
            switch (addition.kind()) {
                case CHECK -> {
                    if (!rules.expired("check", null, addition.reason())) {
                        Check check = CheckReader.shape().read(addition.node(), rules.problems());
                        if (check != null) {
                            rules.add(check, rules.problems());
                        }
                    }
                }
                case CHECKS -> each(site, addition, this::checks);
                case EXPECTED -> each(site, addition, this::expected);
                case SIGNATURES -> each(site, addition, this::signatures);
                case PARSERS, WORKFLOWS, BASELINES -> each(site, addition, UNREAD);
                case RULES -> {
                    // They are loaded before, for checks may not take their ids.
                }
            }
        }
    }

    /** These are read by the commands that use them; here they are only listed. */
    private static final Reading UNREAD = (file, problems) -> {};

    private interface Reading {
        void read(Path file, Problems problems);
    }

    /** Reads each file of an addition; what is wrong with one makes it broken. */
    private void each(SitePolicy site, Addition addition, Reading reading) {
        if (rules.expired("addition", addition.path(), addition.reason())) {
            return;
        }
        Path path = addition.resolved(site.file());
        try {
            String ending = addition.kind() == SitePolicy.Kind.BASELINES ? ".json" : ".yaml";
            for (Path file : files(path, ending)) {
                rules.file(file);
                Problems found = new Problems();
                reading.read(file, found);
                told(file, found);
            }
        } catch (IOException e) {
            rules.problems().at(addition.node(), path + " can't be read", "check the path: " + e);
        }
    }

    /** The file itself, or the files with this ending below a folder in order of path. */
    static List<Path> files(Path path, String ending) throws IOException {
        if (!Files.isDirectory(path)) {
            if (!Files.exists(path)) {
                throw new IOException("there is no such file or folder");
            }
            return List.of(path);
        }
        try (Stream<Path> walk = Files.walk(path, DEEPEST)) {
            return walk.filter(
                            p -> p.toString().matches(".*[.](yaml|json)") && Files.isRegularFile(p))
                    .sorted()
                    .limit(MOST_FILES)
                    .toList();
        }
    }

    private void told(Path file, Problems found) {
        if (found.isEmpty()) {
            return;
        }
        for (Problem p : found.all()) {
            rules.ownProblems().at(p.at(), p.says(), p.next());
        }
        Problem first = found.all().get(0);
        String name = file.getFileName().toString().replaceFirst("\\.yaml$", "");
        rules.broken(new Broken(name, first.at().toString(), first.says()));
    }

    private void checks(Path file, Problems problems) {
        for (Check check : CheckReader.read(file, problems)) {
            rules.add(check, rules.ownProblems());
        }
    }

    private void signatures(Path file, Problems problems) {
        if (taken.isEmpty()) {
            Signatures.builtIn().all().forEach(s -> taken.add(s.id()));
        }
        List<Signature> own = SignatureFiles.own(file, taken, problems);
        own.forEach(s -> taken.add(s.id()));
        rules.add(own);
    }

    private void expected(Path file, Problems problems) {
        YamlDocument document = YamlDocument.read(file, problems);
        List<Expected> all =
                document == null
                        ? null
                        : Shapes.list(SiteReader.expected()).read(document.root(), problems);
        if (all != null) {
            all.forEach(rules::expect);
        }
    }
}
