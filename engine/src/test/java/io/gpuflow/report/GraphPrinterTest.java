package io.gpuflow.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuflow.expr.Type;
import io.gpuflow.flow.Catalog;
import io.gpuflow.flow.Workflow;
import io.gpuflow.flow.lint.WorkflowReader;
import io.gpuflow.yaml.Problems;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GraphPrinterTest {
    private static final Workflow WORKFLOW =
            read(
                    """
                    gpuflow: 1
                    steps:
                      - { id: end, cmd: [a, '"<b>#"', '\\n'], effect: read }
                      - { id: b, needs: end, sh: "x", matrix: { n: [1, 2], m: [1, 2] } }
                      - { id: c, after: [end, b], cmd: [x], if: 'steps.b.state == "passed"' }
                    """);

    private static Workflow read(String text) {
        Problems problems = new Problems();
        Catalog catalog =
                new Catalog(Map.of(), Set::of, Set::of, () -> Type.fields("facts", Map.of()));
        Workflow workflow = new WorkflowReader(catalog).read("f.yaml", text, problems);
        assertEquals(List.of(), problems.all());
        return workflow;
    }

    @Test
    void mermaid() {
        assertEquals(
                """
                flowchart TD
                  s0["end<br>a #quot;#lt;b#gt;#35;#quot; \\n"]:::read
                  s1["b<br>sh: x × 4"]:::load
                  s2["c<br>x<br>if steps.b.state == #quot;passed#quot;"]:::load
                  s0 --> s1
                  s0 -.-> s2
                  s1 -.-> s2
                  classDef read fill:#eef,stroke:#669
                  classDef load fill:#fed,stroke:#963
                """,
                GraphPrinter.mermaid(WORKFLOW));
    }

    @Test
    void dot() {
        assertEquals(
                """
                digraph workflow {
                  node [shape=box, style=rounded, fontname="sans-serif"];
                  "end" [label="end\\na \\"<b>#\\" \\\\n"];
                  "b" [label="b\\nsh: x × 4", penwidth=2];
                  "c" [label="c\\nx\\nif steps.b.state == \\"passed\\"", penwidth=2];
                  "end" -> "b";
                  "end" -> "c" [style=dashed];
                  "b" -> "c" [style=dashed];
                }
                """,
                GraphPrinter.dot(WORKFLOW));
    }

    @Test
    void text() {
        assertEquals(
                """
                ●      end  a "<b>#" \\n  read
                ╰─●    b    sh: x × 4    load  needs end
                  ╰┄●  c    x            load  after end, b  if steps.b.state == "passed"
                """,
                GraphText.of(WORKFLOW));
    }
}
