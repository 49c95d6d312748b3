package io.gpuflow.rules.build;

import io.gpuflow.rules.ShippedRules;
import io.gpuflow.rules.folder.RuleFolder;
import io.gpuflow.yaml.Problem;
import io.gpuflow.yaml.Problems;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Rules that a lenient build leaves out, with the reason. */
final class LeftOut {
    static final String RESOURCE = ShippedRules.LEFT_OUT;

    private LeftOut() {}

    /** Those in whose files nothing is wrong, and that none of them needs to be there. */
    static List<RuleFolder> without(List<RuleFolder> folders, Problems problems) {
        Set<String> files =
                problems.all().stream().map(p -> p.at().file()).collect(Collectors.toSet());
        return folders.stream()
                .filter(f -> files.stream().noneMatch(file -> of(f.label(), file)))
                .toList();
    }

    private static boolean of(String label, String file) {
        return file.equals(label) || file.startsWith(label + "/");
    }

    /** A line a problem, as messages tell it. */
    static String text(Problems problems) {
        Set<String> lines = new LinkedHashSet<>();
        problems.all().forEach(p -> lines.add(line(p).replace('\n', ' ')));
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    static String line(Problem p) {
        return p.at() + ": " + p.says() + (p.next().isEmpty() ? "" : " (" + p.next() + ")");
    }
}
