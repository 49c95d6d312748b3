package io.gpuflow.rules.site;

import io.gpuflow.facts.Judgement.Broken;
import io.gpuflow.facts.Judgement.PolicyFile;
import io.gpuflow.rules.Policy;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.build.OwnCompiler;
import io.gpuflow.rules.build.OwnCompiler.Compiled;
import io.gpuflow.rules.folder.RuleFolder;
import io.gpuflow.rules.folder.RuleLint;
import io.gpuflow.yaml.Problem;
import io.gpuflow.yaml.Problems;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.drools.model.Model;

/**
 * A site's own rules in DRL: AREA/ID folders like the shipped ones. They are compiled once for each
 * state of their texts. One that is wrong or not to be trusted leaves the others alone.
 */
final class OwnRules {
    private static final int MOST_RULES = 1_000;
    private static final long MOST_BYTES = 1 << 20;
    private static final Compiled NOTHING = new Compiled(Map.of(), List.of());

    private final Set<String> shipped;
    private final Trust trust;
    private final CompiledCache cache;
    private final Consumer<String> progress;
    private final Problems problems;
    private final List<Broken> broken = new ArrayList<>();
    private final List<PolicyFile> files = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    private final Map<String, Path> where = new TreeMap<>();
    private final Map<String, RuleCard> cards = new TreeMap<>();
    private final Map<String, Model> models = new TreeMap<>();

    /**
     * @param shipped ids, former ones among them, that can't be taken
     * @param progress told when something takes long
     * @param problems everything wrong with the files; each makes a rule broken, too
     */
    OwnRules(
            Set<String> shipped,
            Trust trust,
            CompiledCache cache,
            Consumer<String> progress,
            Problems problems) {
        this.shipped = shipped;
        this.trust = trust;
        this.cache = cache;
        this.progress = progress;
        this.problems = problems;
    }

    Map<String, RuleCard> cards() {
        return cards;
    }

    Map<String, Model> models() {
        return models;
    }

    List<Broken> broken() {
        return broken;
    }

    /** The folder of each rule that was found, by id. */
    Map<String, Path> folders() {
        return where;
    }

    List<PolicyFile> files() {
        return files;
    }

    /** Loads the rules below some folders. */
    void load(List<Path> roots) {
        List<Path> folders = new ArrayList<>();
        for (Path root : roots) {
            try {
                folders.addAll(folders(root));
            } catch (IOException e) {
                String why = "can't be read: " + e.getMessage();
                problems.file(root.toString(), why, "name a folder with AREA/ID/rule.drl");
                broken.add(new Broken(root.getFileName().toString(), root.toString(), why));
            }
        }
        if (folders.size() > MOST_RULES) {
            problems.file(
                    roots.get(0).toString(),
                    "there are " + folders.size() + " rules, at most " + MOST_RULES,
                    "write checks in YAML: they cost nothing to load");
            folders = folders.subList(0, MOST_RULES);
        }
        List<Path> trusted = folders.stream().filter(this::accepted).toList();
        if (!trusted.isEmpty()) {
            load(trusted, key(trusted));
        }
    }

    /** Folders AREA/ID with a rule.drl, in order of path. */
    private static List<Path> folders(Path root) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path area : list(root)) {
            for (Path folder : list(area)) {
                if (Files.exists(folder.resolve("rule.drl"))) {
                    found.add(folder);
                }
            }
        }
        found.sort(Comparator.naturalOrder());
        return found;
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> list = Files.list(folder)) {
            return list.filter(Files::isDirectory).sorted().toList();
        }
    }

    /** Whether a folder may be read: trusted, of the site's own area, its id free. */
    private boolean accepted(Path folder) {
        String id = folder.getFileName().toString();
        String area = folder.getParent().getFileName().toString();
        where.putIfAbsent(id, folder);
        String refused = null;
        for (String file : List.of("rule.drl", "rule.yaml")) {
            Path path = folder.resolve(file);
            refused = refused == null && Files.exists(path) ? trust.problem(path) : refused;
            refused = refused == null && tooLarge(path) ? "it is too large" : refused;
        }
        if (refused != null) {
            refused = "not loaded: " + refused;
        } else if (!Policy.isOwnArea(area)) {
            refused = "its area is " + area + "; own rules stand in site/ or site_AREA/";
        } else if (shipped.contains(id)) {
            refused = "its id is a shipped rule's; name it otherwise";
        } else if (!seen.add(id)) {
            refused = "its id is there twice; name it otherwise";
        }
        if (refused != null) {
            String file = folder.resolve("rule.drl").toString();
            problems.file(file, refused, "");
            broken.add(new Broken(id, file, refused));
        }
        return refused == null;
    }

    private static boolean tooLarge(Path file) {
        try {
            return Files.exists(file) && Files.size(file) > MOST_BYTES;
        } catch (IOException e) {
            return false; // It is told when it is read.
        }
    }

    /** Of all that the compiled form depends on: the texts, this build, the Java it runs on. */
    private String key(List<Path> folders) {
        List<String> parts = new ArrayList<>();
        parts.add(build());
        parts.add(String.valueOf(Runtime.version().feature()));
        for (Path folder : folders) {
            for (String name : List.of("rule.drl", "rule.yaml")) {
                Path file = folder.resolve(name);
                parts.add(folder.getParent().getFileName() + "/" + folder.getFileName());
                try {
                    byte[] bytes = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
                    String hash = Hash.of(bytes);
                    files.add(new PolicyFile(file.toString(), hash));
                    parts.add(hash);
                } catch (IOException e) {
                    throw new UncheckedIOException(file + " can't be read", e);
                }
            }
        }
        return Hash.of(String.join("\n", parts).getBytes());
    }

    /** The shipped rules' stamp changes with the fact records and the classes that compile. */
    private static String build() {
        try (InputStream in =
                OwnRules.class.getClassLoader().getResourceAsStream("gpuflow/rules.stamp")) {
            return in == null ? "" : new String(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void load(List<Path> folders, String key) {
        CompiledCache.Stored stored = cache.find(key);
        if (stored != null && take(stored)) {
            return;
        }
        progress.accept("compiling " + folders.size() + " own rules; this is done once, then kept");
        List<Broken> wrong = new ArrayList<>();
        List<RuleFolder> good = new ArrayList<>();
        folders.forEach(folder -> read(folder, good, wrong));
        Compiled compiled = good.isEmpty() ? NOTHING : OwnCompiler.compile(good, new Problems());
        if (compiled == null) {
            good.removeIf(folder -> !compiles(folder, wrong));
            compiled = good.isEmpty() ? NOTHING : OwnCompiler.compile(good, problems);
        }
        if (compiled == null) {
            good.forEach(f -> wrong.add(new Broken(f.id(), f.label(), "it does not compile")));
            good.clear();
            compiled = NOTHING;
        }
        List<RuleCard> ready = good.stream().map(RuleFolder::card).toList();
        CompiledCache.Stored made = new CompiledCache.Stored(ready, compiled, wrong);
        if (take(made)) {
            cache.store(key, made);
        } else {
            good.forEach(f -> broken.add(new Broken(f.id(), f.label(), "it can't be loaded")));
        }
    }

    private boolean compiles(RuleFolder folder, List<Broken> wrong) {
        Problems own = new Problems();
        boolean compiles = OwnCompiler.compile(List.of(folder), own) != null;
        if (!compiles) {
            broken(folder.id(), own, wrong);
        }
        return compiles;
    }

    /** Reads and checks one rule as the build does with shipped ones. */
    private void read(Path folder, List<RuleFolder> read, List<Broken> wrong) {
        Problems own = new Problems();
        String id = folder.getFileName().toString();
        try {
            RuleFolder rule = RuleFolder.read(folder, folder.toString(), own);
            if (rule != null) {
                Set<String> names = new TreeSet<>(shipped);
                names.addAll(seen);
                RuleLint.check(rule, names, Set.of(), own);
            }
            if (rule != null && own.isEmpty()) {
                read.add(rule);
                return;
            }
        } catch (IOException e) {
            own.file(folder.toString(), "can't be read: " + e.getMessage(), "");
        }
        broken(id, own, wrong);
    }

    private void broken(String id, Problems own, List<Broken> wrong) {
        for (Problem p : own.all()) {
            problems.at(p.at(), p.says(), p.next());
        }
        Problem first = own.all().get(0);
        wrong.add(new Broken(id, first.at().toString(), first.says()));
    }

    /** Takes compiled rules into use; false when they don't fit. */
    private boolean take(CompiledCache.Stored made) {
        try {
            models.putAll(OwnClasses.models(made.compiled(), made.cards()));
            made.cards().forEach(card -> cards.put(card.id(), card));
            broken.addAll(made.broken());
            return true;
        } catch (ReflectiveOperationException | LinkageError e) {
            return false;
        }
    }
}
