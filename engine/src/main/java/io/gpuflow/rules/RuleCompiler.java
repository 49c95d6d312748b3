package io.gpuflow.rules;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.drools.compiler.kie.builder.impl.InternalKieModule;
import org.drools.compiler.kie.builder.impl.KieBuilderImpl;
import org.drools.model.codegen.ExecutableModelProject;
import org.kie.api.KieServices;
import org.kie.api.builder.KieFileSystem;
import org.kie.api.builder.Message;

/**
 * Build step: turns rules/AREA/ID/rule.drl into classes beside ours, so that a command need not
 * compile them.
 */
public final class RuleCompiler {
    private RuleCompiler() {}

    public static void main(String[] args) throws IOException {
        Path rules = Path.of(args[0]);
        Path classes = Path.of(args[1]);
        KieServices services = KieServices.get();
        KieFileSystem files = services.newKieFileSystem();
        List<Path> sources;
        try (Stream<Path> walk = Files.walk(rules)) {
            sources = walk.filter(p -> p.endsWith("rule.drl")).sorted().toList();
        }
        for (Path source : sources) {
            String name = "src/main/resources/" + rules.relativize(source);
            files.write(name, Files.readString(source));
        }
        KieBuilderImpl builder = (KieBuilderImpl) services.newKieBuilder(files);
        builder.buildAll(ExecutableModelProject.class);
        for (Message m : builder.getResults().getMessages(Message.Level.ERROR)) {
            System.err.println(m.getPath() + ":" + m.getLine() + ": " + m.getText());
        }
        InternalKieModule module = (InternalKieModule) builder.getKieModule();
        for (String name : module.getFileNames()) {
            if (name.endsWith(".class")
                    || name.endsWith(".model")
                    || name.contains("drools-model")) {
                Path target = classes.resolve(name);
                Files.createDirectories(target.getParent());
                Files.write(target, module.getBytes(name));
            }
        }
    }
}
