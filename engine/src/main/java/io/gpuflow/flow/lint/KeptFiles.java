package io.gpuflow.flow.lint;

import io.gpuflow.yaml.Fields;
import io.gpuflow.yaml.Shapes;
import io.gpuflow.yaml.YamlNode;

/** Globs that would reach outside of the folder that the step runs in. */
final class KeptFiles {
    private KeptFiles() {}

    static void check(Draft draft) {
        for (Fields step : draft.all()) {
            for (YamlNode.Scalar glob : Shapes.scalars(step.node(draft.keys.keep))) {
                String text = glob.value();
                if (text.startsWith("/") || text.startsWith("~") || text.contains("..")) {
                    String says = "keep: names files below the folder gpuflow runs in";
                    draft.problems.at(glob, says, "write a relative glob such as \"logs/**\"");
                }
            }
        }
    }
}
