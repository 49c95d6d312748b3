package io.gpuflow.report;

import io.gpuflow.flow.Step;
import io.gpuflow.flow.Workflow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Draws a workflow for the terminal, one line a step in the order in which they run. A step hangs
 * on those it waits for: a solid line for {@code needs}, a dotted one for {@code after}. A line
 * that others already say (a chain of them leads there too) is left out of the drawing, not of the
 * text beside it.
 */
public final class GraphText {
    /** Deeper drawings are wider than what they explain. */
    private static final int WIDEST = 16;

    private final List<Step> steps;
    private final Map<String, Integer> columns = new HashMap<>();
    private final Map<String, Integer> lastUse = new HashMap<>();
    private final Map<String, Set<String>> drawn = new HashMap<>();

    private GraphText(List<Step> steps) {
        this.steps = steps;
    }

    /** The drawing, each line ended. */
    public static String of(Workflow workflow) {
        return new GraphText(GraphOrder.of(workflow)).text(workflow.about());
    }

    private String text(String about) {
        reduce();
        int width = place();
        List<String[]> rows = new ArrayList<>();
        for (int row = 0; row < steps.size(); row++) {
            Step step = steps.get(row);
            String lanes = width > WIDEST ? "" : lanes(row) + "  ";
            String[] cells = {
                lanes,
                step.id(),
                GraphWords.work(step),
                GraphWords.effect(step),
                GraphWords.waits(step),
                GraphWords.condition(step)
            };
            rows.add(cells);
        }
        StringBuilder text = new StringBuilder(about.isEmpty() ? "" : SafeText.line(about) + "\n");
        Columns.append(text, rows);
        return text.toString();
    }

    /** Leaves out what a step waits for through another one anyway. */
    private void reduce() {
        Map<String, Set<String>> before = new LinkedHashMap<>();
        for (int row = 0; row < steps.size(); row++) {
            Step step = steps.get(row);
            Set<String> all = new LinkedHashSet<>();
            Set<String> direct = GraphOrder.waitsFor(step);
            direct.forEach(id -> all.addAll(before.get(id)));
            Set<String> kept = new LinkedHashSet<>(direct);
            kept.removeAll(all);
            drawn.put(step.id(), kept);
            for (String id : kept) {
                lastUse.put(id, row);
            }
            all.addAll(direct);
            before.put(step.id(), all);
        }
    }

    /** Gives each step a column: right of all it hangs on, where no line runs. */
    private int place() {
        int width = 0;
        for (int row = 0; row < steps.size(); row++) {
            Step step = steps.get(row);
            int column = 0;
            for (String id : drawn.get(step.id())) {
                column = Math.max(column, columns.get(id) + 1);
            }
            while (isTaken(column, row)) {
                column++;
            }
            columns.put(step.id(), column);
            width = Math.max(width, column + 1);
        }
        return width;
    }

    private boolean isTaken(int column, int row) {
        for (int other = 0; other < row; other++) {
            String id = steps.get(other).id();
            if (columns.get(id) == column && lastUse.getOrDefault(id, -1) >= row) {
                return true;
            }
        }
        return false;
    }

    private String lanes(int row) {
        Step step = steps.get(row);
        int own = columns.get(step.id());
        char[] line = " ".repeat(2 * own + 1).toCharArray();
        int first = own;
        for (int other = 0; other < row; other++) {
            String id = steps.get(other).id();
            int last = lastUse.getOrDefault(id, -1);
            int column = columns.get(id);
            if (last >= row && column < own) {
                boolean here = drawn.get(step.id()).contains(id);
                first = here ? Math.min(first, column) : first;
                line[2 * column] = here ? last == row ? '╰' : '├' : '│';
            }
        }
        for (int at = 2 * first + 1; at < 2 * own; at++) {
            line[at] = crossing(line[at], step);
        }
        line[2 * own] = '●';
        return new String(line) + rest(row, own);
    }

    private static char crossing(char there, Step step) {
        char dash = step.needs().isEmpty() ? '┄' : '─';
        return switch (there) {
            case ' ' -> dash;
            case '│' -> '┼';
            case '├' -> '┼';
            case '╰' -> '┴';
            default -> there;
        };
    }

    /** Lines of other steps that run on the right of this one. */
    private String rest(int row, int own) {
        StringBuilder rest = new StringBuilder();
        for (int column = own + 1; column < WIDEST; column++) {
            boolean runs = false;
            for (int other = 0; other < row; other++) {
                String id = steps.get(other).id();
                runs |= columns.get(id) == column && lastUse.getOrDefault(id, -1) > row;
            }
            rest.append(' ').append(runs ? '│' : ' ');
        }
        return rest.toString().stripTrailing();
    }
}
