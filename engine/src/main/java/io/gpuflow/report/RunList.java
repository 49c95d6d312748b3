package io.gpuflow.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Stored runs, a line each. */
public final class RunList {
    private RunList() {}

    public static List<String> lines(List<RunReport> runs) {
        List<String> lines = new ArrayList<>();
        int widest = runs.stream().mapToInt(r -> name(r).length()).max().orElse(0);
        for (RunReport run : runs) {
            String exit = run.exit() == null ? "-" : String.valueOf(run.exit());
            String time = run.seconds() > 0 ? Elapsed.of(run.seconds()) : "-";
            String replay = run.replay() ? " (replay of " + run.machine() + ")" : "";
            lines.add(
                    String.format("%-" + Math.max(1, widest) + "s", name(run))
                            + String.format("  exit %-3s %9s  ", exit, time)
                            + SafeText.line(run.headline() + replay));
        }
        if (runs.isEmpty()) {
            lines.add("no runs here; gpuflow run makes one");
        }
        return lines;
    }

    private static String name(RunReport run) {
        return Path.of(run.folder()).getFileName().toString();
    }
}
