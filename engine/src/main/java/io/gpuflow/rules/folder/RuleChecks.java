package io.gpuflow.rules.folder;

import io.gpuflow.rules.RulePackage;
import io.gpuflow.yaml.Position;
import io.gpuflow.yaml.Problems;
import java.util.regex.Pattern;

/** One rule a folder, named alike everywhere, in the package of its area. */
final class RuleChecks {
    private static final Pattern ID = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

    private RuleChecks() {}

    static void names(RuleFolder f, Problems problems) {
        String drl = f.label() + "/rule.drl";
        if (!ID.matcher(f.id()).matches()) {
            problems.file(f.label(), "its name is no rule id", "use lower-case words joined by -");
        }
        if (!f.id().equals(f.card().id())) {
            problems.file(
                    f.label() + "/rule.yaml",
                    "id is " + f.card().id() + " in the folder " + f.id(),
                    "make them the same");
        }
        String pack = RulePackage.ofArea(f.area());
        if (!pack.equals(f.pack().getName())) {
            problems.file(drl, "its package is " + f.pack().getName(), "write package " + pack);
        }
        if (f.pack().getRules().size() != 1) {
            problems.file(
                    drl, "holds " + f.pack().getRules().size() + " rules", "keep one a folder");
        } else if (!f.id().equals(f.descr().getName())) {
            problems.at(
                    new Position(drl, Math.max(1, f.descr().getLine()), 1),
                    "the rule is named " + f.descr().getName(),
                    "name it " + f.id() + ", as its folder");
        }
    }
}
