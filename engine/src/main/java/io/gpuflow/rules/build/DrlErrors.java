package io.gpuflow.rules.build;

import io.gpuflow.rules.folder.RuleFolder;
import io.gpuflow.yaml.Position;
import io.gpuflow.yaml.Problems;
import java.util.List;
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
final class DrlErrors {
    private final List<RuleFolder> folders;
    private final Problems problems;

    DrlErrors(List<RuleFolder> folders, Problems problems) {
        this.folders = folders;
        this.problems = problems;
    }

    /** Tells what the classic builder finds wrong; nothing when it accepts them all. */
    void tell() {
        folders.forEach(this::classic);
    }

    private void classic(RuleFolder folder) {
        String drl = folder.label() + "/rule.drl";
        try {
            KnowledgeBuilder builder = KnowledgeBuilderFactory.newKnowledgeBuilder();
            builder.add(
                    ResourceFactory.newByteArrayResource(folder.drl().getBytes()),
                    ResourceType.DRL);
            KnowledgeBuilderErrors errors = builder.getErrors();
            for (KnowledgeBuilderError error : errors) {
                int line = error.getLines().length == 0 ? -1 : error.getLines()[0];
                problems.at(
                        new Position(drl, Math.max(1, line), 1),
                        "rule \"" + folder.id() + "\": " + error.getMessage().strip(),
                        "");
            }
        } catch (RuntimeException e) {
            problems.file(drl, String.valueOf(e.getMessage()), "");
        }
    }
}
