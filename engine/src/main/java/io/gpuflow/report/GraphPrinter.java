package io.gpuflow.report;

import io.gpuflow.flow.Effect;
import io.gpuflow.flow.Step;
import io.gpuflow.flow.Workflow;
import java.util.HashMap;
import java.util.Map;

/** Draws a workflow for other programs: Mermaid and Graphviz. Dotted arrows are {@code after}. */
public final class GraphPrinter {
    private GraphPrinter() {}

    /** A Mermaid flow chart. */
    public static String mermaid(Workflow workflow) {
        StringBuilder text = new StringBuilder("flowchart TD\n");
        Map<String, String> names = new HashMap<>();
        for (Step step : GraphOrder.of(workflow)) {
            // Ids such as "end" mean something to Mermaid, so nodes are numbered.
            names.put(step.id(), "s" + names.size());
            text.append("  ").append(names.get(step.id()));
            text.append("[\"").append(mermaid(label(step, "<br>"))).append("\"]");
            text.append(step.effect() == Effect.READ ? ":::read\n" : ":::load\n");
        }
        for (Step step : GraphOrder.of(workflow)) {
            String to = names.get(step.id());
            for (String id : step.needs()) {
                text.append("  ").append(names.get(id)).append(" --> ").append(to).append('\n');
            }
            for (String id : step.after()) {
                text.append("  ").append(names.get(id)).append(" -.-> ").append(to).append('\n');
            }
        }
        text.append("  classDef read fill:#eef,stroke:#669\n");
        text.append("  classDef load fill:#fed,stroke:#963\n");
        return text.toString();
    }

    /** A Graphviz digraph. */
    public static String dot(Workflow workflow) {
        StringBuilder text = new StringBuilder("digraph workflow {\n");
        text.append("  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n");
        for (Step step : GraphOrder.of(workflow)) {
            text.append("  ").append(quoted(step.id())).append(" [label=");
            text.append(quoted(label(step, "\n")));
            text.append(step.effect() == Effect.READ ? "" : ", penwidth=2").append("];\n");
        }
        for (Step step : GraphOrder.of(workflow)) {
            for (String id : step.needs()) {
                text.append("  ").append(quoted(id)).append(" -> ").append(quoted(step.id()));
                text.append(";\n");
            }
            for (String id : step.after()) {
                text.append("  ").append(quoted(id)).append(" -> ").append(quoted(step.id()));
                text.append(" [style=dashed];\n");
            }
        }
        return text.append("}\n").toString();
    }

    private static String label(Step step, String lineEnd) {
        String work = GraphWords.work(step);
        String label = step.id().equals(work) ? work : step.id() + lineEnd + work;
        return step.when() == null ? label : label + lineEnd + GraphWords.condition(step);
    }

    private static String mermaid(String text) {
        StringBuilder safe = new StringBuilder();
        for (String part : text.split("(?=<br>)")) {
            boolean lineEnd = part.startsWith("<br>");
            safe.append(lineEnd ? "<br>" : "");
            String rest = lineEnd ? part.substring("<br>".length()) : part;
            safe.append(
                    rest.replace("#", "#35;")
                            .replace("\"", "#quot;")
                            .replace("<", "#lt;")
                            .replace(">", "#gt;"));
        }
        return safe.toString();
    }

    private static String quoted(String text) {
        String safe = text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        return "\"" + safe + "\"";
    }
}
