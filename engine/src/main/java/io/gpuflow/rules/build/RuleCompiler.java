package io.gpuflow.rules.build;

import io.gpuflow.rules.CardIndex;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.RulePackage;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.rules.folder.RuleFolder;
import io.gpuflow.rules.folder.RuleLint;
import io.gpuflow.rules.folder.RuleSetLint;
import io.gpuflow.yaml.Problems;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.drools.compiler.kie.builder.impl.InternalKieModule;
import org.drools.compiler.kie.builder.impl.KieBuilderImpl;
import org.drools.model.codegen.ExecutableModelProject;
import org.kie.api.KieServices;
import org.kie.api.builder.KieFileSystem;
import org.kie.api.builder.Message;

/**
 * Build step: turns rules/AREA/ID into classes beside ours and one index of all cards, so that a
 * command neither compiles DRL nor reads YAML. Does nothing when nothing has changed.
 */
public final class RuleCompiler {
    private static final String PREFIX = "src/main/resources/";

    private final Path rules;
    private final Path classes;

    private RuleCompiler(Path rules, Path classes) {
        this.rules = rules;
        this.classes = classes;
    }

    /**
     * {@code RuleCompiler rules target/classes [lenient]}. A rule with a mistake fails a strict
     * build and is left out of a lenient one, so that a clone in which somebody edits a rule still
     * works; it is told in both, and with every judgement.
     */
    public static void main(String[] args) throws IOException {
        RuleCompiler compiler = new RuleCompiler(Path.of(args[0]), Path.of(args[1]));
        boolean lenient = args.length > 2 && args[2].equals("lenient");
        Problems problems = new Problems();
        compiler.run(problems, lenient);
        problems.all().forEach(p -> System.err.println(LeftOut.line(p)));
        if (problems.isEmpty()) {
            return;
        }
        if (!lenient) {
            throw new IllegalStateException(problems.count() + " problems in the rules");
        }
        System.err.println(
                "gpuflow: these rules are left out until that is mended; gpuflow rules lint checks"
                        + " again");
    }

    private void run(Problems problems, boolean lenient) throws IOException {
        Path stamp = classes.resolve("gpuflow/rules.stamp");
        Path leftOut = classes.resolve(LeftOut.RESOURCE);
        String now = RuleStamp.of(rules, classes);
        boolean whole = !Files.exists(leftOut) || Files.size(leftOut) == 0;
        if (Files.exists(stamp) && Files.readString(stamp).equals(now) && (whole || lenient)) {
            return;
        }
        List<RuleFolder> folders = RuleFolder.readAll(rules, problems);
        Set<String> ids = RuleFolder.names(rules);
        Set<String> causes = RuleFolder.causes(rules);
        folders.forEach(f -> RuleLint.check(f, ids, causes, problems));
        RuleSetLint.check(folders, problems);
        if (!problems.isEmpty() && !lenient) {
            return;
        }
        folders = LeftOut.without(folders, problems);
        InternalKieModule module = compile(folders, problems);
        if (module == null && lenient) {
            folders = LeftOut.without(folders, problems);
            module = compile(folders, new Problems());
        }
        if (module == null && lenient) {
            throw new IllegalStateException("the rules do not compile");
        }
        if (module != null && (problems.isEmpty() || lenient)) {
            clean(classes.resolve("gpuflow"));
            write(module, folders);
            Files.writeString(leftOut, LeftOut.text(problems));
            Files.writeString(stamp, now);
        }
    }

    private InternalKieModule compile(List<RuleFolder> folders, Problems problems) {
        int before = problems.count();
        String failure;
        try {
            KieBuilderImpl builder = build(folders);
            List<Message> errors = errors(builder);
            if (errors.isEmpty()) {
                return (InternalKieModule) builder.getKieModule();
            }
            failure = last(errors.get(0).getText());
        } catch (RuntimeException e) {
            failure = e.toString();
        }
        DrlErrors.tell(folders, problems);
        if (problems.count() == before) {
            alone(folders, problems);
        }
        if (problems.count() == before) {
            problems.file(rules.toString(), "the rules do not compile together: " + failure, "");
        }
        return null;
    }

    static List<Message> errors(KieBuilderImpl builder) {
        return builder.getResults().getMessages(Message.Level.ERROR);
    }

    static KieBuilderImpl build(List<RuleFolder> folders) {
        KieServices services = KieServices.get();
        KieFileSystem files = services.newKieFileSystem();
        folders.forEach(
                f -> files.write(PREFIX + f.area() + "/" + f.id() + "/rule.drl", inOwnPackage(f)));
        KieBuilderImpl builder = (KieBuilderImpl) services.newKieBuilder(files);
        builder.buildAll(ExecutableModelProject.class);
        return builder;
    }

    /** The rule's text in a package of its own, line by line the same. */
    private static String inOwnPackage(RuleFolder f) {
        return f.drl()
                .replaceFirst(
                        "package\\s+" + Pattern.quote(RulePackage.ofArea(f.area())) + "\\b",
                        "package " + RulePackage.of(f.area(), f.id()));
    }

    /** What the classic builder accepts and the executable model does not, rule by rule. */
    private static void alone(List<RuleFolder> folders, Problems problems) {
        for (RuleFolder folder : folders) {
            String failure = null;
            try {
                List<Message> errors = errors(build(List.of(folder)));
                failure = errors.isEmpty() ? null : last(errors.get(0).getText());
            } catch (RuntimeException e) {
                failure = firstLine(e);
            }
            if (failure != null) {
                problems.file(
                        folder.label() + "/rule.drl",
                        "rule " + folder.id() + ": the rule compiler cannot digest it: " + failure,
                        "write it another way; a, b, unit, from and Java's own words are no names");
            }
        }
    }

    /** The compiler's own words stand behind the source that it generated. */
    static String last(String text) {
        List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
        return String.join(" ", lines.subList(Math.max(0, lines.size() - 2), lines.size()));
    }

    static String firstLine(RuntimeException e) {
        return e.toString().lines().findFirst().orElse("");
    }

    private void write(InternalKieModule module, List<RuleFolder> folders) throws IOException {
        for (String name : module.getFileNames()) {
            if (name.startsWith("gpuflow/") && name.endsWith(".class")) {
                Path target = classes.resolve(name);
                Files.createDirectories(target.getParent());
                Files.write(target, module.getBytes(name));
            } else if (name.endsWith("drools-model")) {
                Path target = classes.resolve(ShippedRules.MODELS);
                Files.createDirectories(target.getParent());
                Files.writeString(target, models(module.getBytes(name)));
            }
        }
        List<RuleCard> cards = new ArrayList<>();
        folders.forEach(f -> cards.add(f.card()));
        cards.sort(Comparator.comparing(RuleCard::id));
        try (DataOutputStream out =
                new DataOutputStream(Files.newOutputStream(classes.resolve(CardIndex.RESOURCE)))) {
            CardIndex.write(cards, out);
        }
    }

    /** The class names in the file that Drools makes, without its version line. */
    static String models(byte[] file) {
        return new String(file, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("Drools-Model-Version"))
                .sorted()
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static void clean(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path p : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(p);
            }
        }
    }
}
