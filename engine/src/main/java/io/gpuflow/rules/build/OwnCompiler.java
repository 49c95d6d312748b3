package io.gpuflow.rules.build;

import io.gpuflow.rules.folder.RuleFolder;
import io.gpuflow.yaml.Problems;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.drools.compiler.kie.builder.impl.InternalKieModule;
import org.drools.compiler.kie.builder.impl.KieBuilderImpl;
import org.kie.api.builder.Message;

/** Compiles rules of a site to classes in memory. */
public final class OwnCompiler {
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
            KieBuilderImpl builder = RuleCompiler.build(folders);
            List<Message> errors = RuleCompiler.errors(builder);
            if (errors.isEmpty()) {
                return compiled((InternalKieModule) builder.getKieModule());
            }
            failure = RuleCompiler.last(errors.get(0).getText());
        } catch (RuntimeException e) {
            failure = RuleCompiler.firstLine(e);
        } catch (LinkageError e) {
            failure = "its compiler is missing here: " + e.getMessage();
        }
        if (folders.size() == 1) {
            DrlErrors.tell(folders, problems);
        }
        if (problems.count() == before) {
            String file = folders.get(0).label() + "/rule.drl";
            problems.file(file, "the rule compiler cannot digest it: " + failure, "");
        }
        return null;
    }

    private static Compiled compiled(InternalKieModule module) {
        Map<String, byte[]> classes = new TreeMap<>();
        List<String> models = List.of();
        for (String name : module.getFileNames()) {
            if (name.startsWith("gpuflow/") && name.endsWith(".class")) {
                classes.put(name, module.getBytes(name));
            } else if (name.endsWith("drools-model")) {
                models = RuleCompiler.models(module.getBytes(name)).lines().toList();
            }
        }
        return new Compiled(classes, models);
    }
}
