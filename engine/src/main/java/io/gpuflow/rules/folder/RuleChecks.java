package io.gpuflow.rules.folder;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What every rule folder must keep to, beside being valid YAML and DRL. */
public final class RuleChecks {
    private static final Pattern ID = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");
    private static final Pattern SETTING =
            Pattern.compile(
                    "Setting\\s*\\(\\s*rule\\s*==\\s*\"([^\"]*)\"\\s*,\\s*name\\s*==\\s*\"([^\"]*)\"");
    private static final Pattern INSERT =
            Pattern.compile(
                    "^insertLogical\\s*\\(\\s*new\\s+(?:Finding|Advice)\\s*\\(\\s*\"([^\"]*)\".*\\)\\s*;$",
                    Pattern.DOTALL);
    private static final Pattern ACTS =
            Pattern.compile(
                    "\\b(System|Runtime|ProcessBuilder|Files|Thread|Socket|URL|Class|kcontext|drools)\\s*\\.");
    private static final Pattern SELF_NEGATION =
            Pattern.compile("\\bnot\\s*\\(?\\s*Finding\\s*\\(\\s*rule\\s*==\\s*\"([^\"]*)\"");

    private RuleChecks() {}

    /** One rule a file, named like its folder and its card, in the package of its area. */
    static void names(RuleFolder f, Problems problems) {
        String drl = f.label() + "/rule.drl";
        if (!ID.matcher(f.id()).matches()) {
            problems.add(f.label(), "the folder's name is the rule's id: use lower-case-words");
        }
        if (!f.id().equals(f.card().id())) {
            problems.add(
                    f.label() + "/rule.yaml", "id is " + f.card().id() + ", the folder " + f.id());
        }
        if (!("gpuflow.rules." + f.area()).equals(f.pack().getName())) {
            problems.add(
                    drl, "package is " + f.pack().getName() + ", not gpuflow.rules." + f.area());
        }
        if (f.pack().getRules().size() != 1) {
            problems.add(drl, "holds " + f.pack().getRules().size() + " rules, not one");
        } else if (!f.id().equals(f.descr().getName())) {
            problems.add(drl, "rule \"" + f.descr().getName() + "\" must be named " + f.id());
        }
    }

    /** Consequences that conclude and nothing else; settings declared and used. */
    public static void lint(
            RuleFolder f, Set<String> rules, Set<String> causes, Problems problems) {
        String drl = f.label() + "/rule.drl";
        String yaml = f.label() + "/rule.yaml";
        if (f.descr() == null) {
            return;
        }
        consequence(f, drl, problems);
        settings(f, drl, yaml, problems);
        for (String id : selfNegations(f.drl())) {
            if (id.equals(f.id())) {
                problems.add(drl, "it denies its own finding: it would fire and retract itself");
            }
        }
        for (String other : f.card().follows()) {
            if (!rules.contains(other)) {
                problems.add(yaml, "follows no rule " + other + Nearest.hint(other, rules));
            }
        }
        if (f.card().cause() != null && !causes.isEmpty() && !causes.contains(f.card().cause())) {
            problems.add(
                    yaml, "no cause " + f.card().cause() + Nearest.hint(f.card().cause(), causes));
        }
        if (f.card().level() != io.gpuflow.facts.Verdict.Level.INFO && f.card().fixes().isEmpty()) {
            problems.add(yaml, "a rule that warns or fails says what to do: fix is missing");
        }
    }

    private static void consequence(RuleFolder f, String drl, Problems problems) {
        String then = String.valueOf(f.descr().getConsequence()).strip();
        Matcher m = INSERT.matcher(then);
        if (!m.matches()) {
            problems.add(
                    drl, "then must be one insertLogical( new Finding( \"" + f.id() + "\", … ) );");
        } else if (!m.group(1).equals(f.id())) {
            problems.add(drl, "inserts a finding of " + m.group(1) + ", not of " + f.id());
        }
        if (ACTS.matcher(then).find()) {
            problems.add(drl, "then only concludes; it must not act, read or print");
        }
    }

    private static void settings(RuleFolder f, String drl, String yaml, Problems problems) {
        Set<String> used = new TreeSet<>();
        Matcher m = SETTING.matcher(f.drl());
        while (m.find()) {
            if (!m.group(1).equals(f.id())) {
                problems.add(drl, "reads a setting of " + m.group(1));
            }
            used.add(m.group(2));
        }
        Set<String> declared = new TreeSet<>();
        f.card().settings().forEach(s -> declared.add(s.name()));
        for (String name : used) {
            if (!declared.contains(name)) {
                problems.add(
                        drl,
                        "the setting "
                                + name
                                + " is not in rule.yaml"
                                + Nearest.hint(name, declared));
            }
        }
        for (String name : declared) {
            if (!used.contains(name)) {
                problems.add(yaml, "the setting " + name + " is not used by rule.drl");
            }
        }
    }

    private static List<String> selfNegations(String drl) {
        return SELF_NEGATION.matcher(drl).results().map(r -> r.group(1)).toList();
    }
}
