package io.gpuflow.flow.lint;

import io.gpuflow.yaml.Shape;
import io.gpuflow.yaml.Shapes;
import java.util.Map;

/** Small shapes of workflow files. */
final class WorkflowShapes {
    private WorkflowShapes() {}

    /** A name that can stand in an expression without quotes. */
    static Shape<String> name() {
        return Shapes.text("a name such as bus_gbps", "[a-z][a-z0-9_]{0,63}");
    }

    static Shape<Integer> version() {
        return Shapes.scalar(
                "1, the version of this format",
                Map.of("const", 1),
                (scalar, problems) -> {
                    if (scalar.value().equals("1")) {
                        return 1;
                    }
                    problems.at(scalar, "this gpuflow reads version 1 only", "write gpuflow: 1");
                    return null;
                });
    }

    static Shape<String> script() {
        return Shapes.scalar(
                "a shell script",
                Map.of("type", "string"),
                (scalar, problems) -> {
                    int at = scalar.value().indexOf("${{");
                    if (at >= 0) {
                        // The value would be read as code: that is how scripts get injected.
                        String next = "set env: { NAME: \"${{ … }}\" } and write \"$NAME\" here";
                        problems.at(scalar, at, 3, "a script takes no ${{ }}", next);
                    }
                    return scalar.value();
                });
    }
}
