package io.gpuflow.rules.build;

import io.gpuflow.rules.RulePackage;
import io.gpuflow.rules.folder.RuleFolder;
import io.gpuflow.yaml.Problems;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.drools.compiler.kie.builder.impl.InternalKieModule;
import org.drools.compiler.kie.builder.impl.KieBuilderImpl;
import org.drools.model.codegen.ExecutableModelProject;
import org.kie.api.KieServices;
import org.kie.api.builder.KieFileSystem;
import org.kie.api.builder.Message;

/** Compiles rules of a site to classes in memory. */
public final class OwnCompiler {
    private static final String PREFIX = "src/main/resources/";

    private OwnCompiler() {}

    /**
     * Compiled rules.
     *
     * @param classes by path: gpuflow/rules/site/….class
     * @param models names of the classes that hold one rule each
     */
    public record Compiled(Map<String, byte[]> classes, List<String> models) {}

    /**
     * Compiles rules together; null when problems were reported. A rule that does not compile makes
     * the whole fail: then compile them one by one.
     */
    public static Compiled compile(List<RuleFolder> folders, Problems problems) {
        int before = problems.count();
        String failure;
        try {
            KieBuilderImpl builder = build(folders);
            List<Message> errors = builder.getResults().getMessages(Message.Level.ERROR);
            if (errors.isEmpty()) {
                return compiled((InternalKieModule) builder.getKieModule());
            }
            failure = last(errors.get(0).getText());
        } catch (RuntimeException e) {
            failure = e.toString().lines().findFirst().orElse("");
        }
        if (folders.size() == 1) {
            new DrlErrors(folders, problems).tell();
        }
        if (problems.count() == before) {
            String file = folders.get(0).label() + "/rule.drl";
            problems.file(file, "the rule compiler cannot digest it: " + failure, "");
        }
        return null;
    }

    private static KieBuilderImpl build(List<RuleFolder> folders) {
        KieServices services = KieServices.get();
        KieFileSystem files = services.newKieFileSystem();
        for (RuleFolder f : folders) {
            String own =
                    f.drl()
                            .replaceFirst(
                                    "package\\s+"
                                            + Pattern.quote(RulePackage.ofArea(f.area()))
                                            + "\\b",
                                    "package " + RulePackage.of(f.area(), f.id()));
            files.write(PREFIX + f.area() + "/" + f.id() + "/rule.drl", own);
        }
        KieBuilderImpl builder = (KieBuilderImpl) services.newKieBuilder(files);
        builder.buildAll(ExecutableModelProject.class);
        return builder;
    }

    private static Compiled compiled(InternalKieModule module) {
        Map<String, byte[]> classes = new TreeMap<>();
        List<String> models = new ArrayList<>();
        for (String name : module.getFileNames()) {
            if (name.startsWith("gpuflow/") && name.endsWith(".class")) {
                classes.put(name, module.getBytes(name));
            } else if (name.endsWith("drools-model")) {
                new String(module.getBytes(name), StandardCharsets.UTF_8)
                        .lines()
                        .filter(l -> !l.isBlank() && !l.startsWith("Drools-Model-Version"))
                        .sorted()
                        .forEach(models::add);
            }
        }
        return new Compiled(classes, List.copyOf(models));
    }

    private static String last(String text) {
        List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
        return String.join(" ", lines.subList(Math.max(0, lines.size() - 2), lines.size()));
    }
}
