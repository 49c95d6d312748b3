package io.gpuflow.rules.build;

import io.gpuflow.rules.folder.DrlWords;
import io.gpuflow.rules.folder.RuleFolder;
import io.gpuflow.yaml.Problems;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.kie.api.io.ResourceType;
import org.kie.internal.builder.KnowledgeBuilder;
import org.kie.internal.builder.KnowledgeBuilderError;
import org.kie.internal.builder.KnowledgeBuilderErrors;
import org.kie.internal.builder.KnowledgeBuilderFactory;
import org.kie.internal.io.ResourceFactory;

/**
 * Says where a rule that does not compile is wrong. The executable model gives no lines, or names
 * generated classes, so each rule is compiled once more by the classic builder, which does.
 */
public final class DrlErrors {
    private DrlErrors() {}

    /** Tells what the classic builder finds wrong; nothing when it accepts them all. */
    public static void tell(List<RuleFolder> folders, Problems problems) {
        folders.forEach(folder -> classic(folder, problems));
    }

    private static void classic(RuleFolder folder, Problems problems) {
        String drl = folder.label() + "/rule.drl";
        try {
            KnowledgeBuilder builder = KnowledgeBuilderFactory.newKnowledgeBuilder();
            builder.add(
                    ResourceFactory.newByteArrayResource(folder.drl().getBytes()),
                    ResourceType.DRL);
            KnowledgeBuilderErrors errors = builder.getErrors();
            boolean before = errors.stream().anyMatch(e -> !DrlWords.afterThen(e.getMessage()));
            Set<String> told = new HashSet<>();
            for (KnowledgeBuilderError error : errors) {
                int line = error.getLines().length == 0 ? -1 : error.getLines()[0];
                // A wrong name in a condition makes a message for each use, and one after then.
                boolean follows = before && DrlWords.afterThen(error.getMessage());
                if (!follows && told.add(error.getMessage())) {
                    DrlWords.tell(drl, folder.id(), line, error.getMessage(), problems);
                }
            }
        } catch (RuntimeException e) {
            problems.file(drl, "rule " + folder.id() + ": " + e.getMessage(), "");
        }
    }
}
