package io.gpuflow.rules.folder;

import io.gpuflow.rules.Read;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.YamlDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.drools.drl.ast.descr.PackageDescr;
import org.drools.drl.ast.descr.RuleDescr;
import org.drools.drl.parser.DrlParser;
import org.drools.drl.parser.DroolsError;
import org.drools.drl.parser.DroolsParserException;

/**
 * One rule on disk: AREA/ID with rule.drl, rule.yaml and cases.yaml.
 *
 * @param label the folder as messages name it: rules/AREA/ID
 * @param descr the parsed rule of rule.drl, or null when it could not be parsed
 */
public record RuleFolder(
        Path folder,
        String label,
        String area,
        String drl,
        PackageDescr pack,
        RuleDescr descr,
        RuleCard card) {

    public String id() {
        return folder.getFileName().toString();
    }

    /** Reads every rule folder below {@code rules}, in order of path. */
    public static List<RuleFolder> readAll(Path rules, Problems problems) throws IOException {
        List<Path> sources = sources(rules);
        Map<String, String> labels = new TreeMap<>();
        List<RuleFolder> folders = new ArrayList<>();
        for (Path source : sources) {
            RuleFolder folder = read(rules, source.getParent(), problems);
            if (folder == null) {
                continue;
            }
            String other = labels.putIfAbsent(folder.id(), folder.label());
            if (other != null) {
                problems.file(
                        folder.label(), "its id is taken by " + other, "name the folder otherwise");
            }
            folders.add(folder);
        }
        return folders;
    }

    /** What {@code follows:} may name: each id, and AREA/* for the roots of an area. */
    public static Set<String> names(List<RuleFolder> folders) {
        Set<String> names = new TreeSet<>();
        for (RuleFolder folder : folders) {
            names.add(folder.id());
            names.add(folder.area() + "/*");
        }
        return names;
    }

    /**
     * The same of all folders that are there, those included in which something is wrong: one
     * mistake makes no others.
     */
    public static Set<String> names(Path rules) throws IOException {
        Set<String> names = new TreeSet<>();
        for (Path source : sources(rules)) {
            Path folder = source.getParent();
            names.add(folder.getFileName().toString());
            names.add(folder.getParent().getFileName() + "/*");
        }
        return names;
    }

    /** The vocabulary of causes, causes.txt beside the areas; empty when there is none. */
    public static Set<String> causes(Path rules) throws IOException {
        Path file = rules.resolve("causes.txt");
        if (!Files.exists(file)) {
            return Set.of();
        }
        Set<String> causes = new TreeSet<>();
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                causes.add(line.split("\\s", 2)[0]);
            }
        }
        return causes;
    }

    private static List<Path> sources(Path rules) throws IOException {
        try (Stream<Path> walk = Files.walk(rules, 3)) {
            return walk.filter(p -> p.endsWith("rule.drl")).sorted().toList();
        }
    }

    private static RuleFolder read(Path rules, Path folder, Problems problems) throws IOException {
        return read(folder, rules.getFileName() + "/" + rules.relativize(folder), problems);
    }

    /**
     * Reads one rule; null when problems were reported that leave nothing of it.
     *
     * @param label the folder as messages name it
     */
    public static RuleFolder read(Path folder, String label, Problems problems) throws IOException {
        String area = folder.getParent().getFileName().toString();
        String drl = Files.readString(folder.resolve("rule.drl"));
        RuleCard card = card(area, folder, label, problems);
        PackageDescr pack = parse(drl, label, problems);
        if (card == null || pack == null) {
            return null;
        }
        RuleDescr descr = pack.getRules().isEmpty() ? null : pack.getRules().get(0);
        List<Read> reads = descr == null ? List.of() : Conditions.reads(descr);
        RuleFolder read =
                new RuleFolder(folder, label, area, drl, pack, descr, card.reading(reads));
        RuleChecks.names(read, problems);
        return read;
    }

    private static RuleCard card(String area, Path folder, String label, Problems problems)
            throws IOException {
        String file = label + "/rule.yaml";
        Path path = folder.resolve("rule.yaml");
        if (!Files.exists(path)) {
            problems.file(file, "is missing", "every rule has its words in one");
            return null;
        }
        YamlDocument yaml = YamlDocument.parse(file, Files.readString(path), problems);
        return yaml == null ? null : new CardReader(area).shape().read(yaml.root(), problems);
    }

    /** The cases of cases.yaml; problems are told when it is missing or wrong. */
    public List<RuleCase> cases(Problems problems) throws IOException {
        String file = label + "/cases.yaml";
        Path path = folder.resolve("cases.yaml");
        if (!Files.exists(path)) {
            problems.file(file, "is missing", "a rule is proven by its cases");
            return List.of();
        }
        YamlDocument yaml = YamlDocument.parse(file, Files.readString(path), problems);
        List<RuleCase> cases = yaml == null ? null : CaseReader.shape().read(yaml.root(), problems);
        return cases == null ? List.of() : cases;
    }

    private static PackageDescr parse(String drl, String label, Problems problems) {
        String file = label + "/rule.drl";
        DrlParser parser = new DrlParser();
        try {
            PackageDescr pack = parser.parse(false, drl);
            for (DroolsError e : parser.getErrors()) {
                int line = e.getLines().length == 0 ? 1 : Math.max(1, e.getLines()[0]);
                String id = label.substring(label.lastIndexOf('/') + 1);
                DrlWords.tell(file, id, line, e.getMessage(), problems);
            }
            return parser.hasErrors() ? null : pack;
        } catch (DroolsParserException e) {
            problems.file(file, e.getMessage(), "");
            return null;
        }
    }
}
