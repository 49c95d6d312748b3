package io.gpuflow.rules.folder;

import io.gpuflow.expr.Nearest;
import io.gpuflow.facts.FactTypes;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.Words;
import io.gpuflow.yaml.Position;
import io.gpuflow.yaml.Problems;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.drools.drl.ast.descr.ImportDescr;
import org.drools.drl.ast.descr.PatternDescr;

/**
 * What a rule must keep to, beside being valid YAML and DRL: it concludes and does nothing else,
 * its thresholds are settings, its words have values, its silence is understood.
 */
public final class RuleLint {
    private static final Pattern SETTING =
            Pattern.compile(
                    "Setting\\s*\\(\\s*rule\\s*==\\s*\"([^\"]*)\"\\s*,\\s*name\\s*==\\s*\"([^\"]*)\"");
    private static final Pattern INSERT =
            Pattern.compile(
                    "^insertLogical\\s*\\(\\s*new\\s+(?:Finding|Advice)\\s*\\(\\s*\"([^\"]*)\".*\\)\\s*;$",
                    Pattern.DOTALL);
    private static final Pattern ACTS =
            Pattern.compile(
                    "\\b(System|Runtime|ProcessBuilder|Files|Paths|Thread|Socket|URL|URI|Class|ClassLoader"
                            + "|kcontext|drools|java\\.(io|net|nio|lang))\\s*[.(]");
    private static final Pattern WHEN =
            Pattern.compile("\\bwhen\\b(.*?)\\n\\s*then\\b", Pattern.DOTALL);
    private static final Pattern IMPORTS =
            Pattern.compile(
                    "io\\.gpuflow\\.facts\\.(\\*|\\w+)|io\\.gpuflow\\.rules\\.(Versions|GpuArchs|Words)"
                            + "|java\\.util\\.(Map|List|Set|Collection|Collections|Arrays|Objects|Comparator"
                            + "|ArrayList|TreeMap|TreeSet|HashMap|HashSet)"
                            + "|java\\.util\\.stream\\.(Collectors|Stream|IntStream)");
    private static final Pattern SELF_NEGATION =
            Pattern.compile("\\bnot\\s*\\(?\\s*Finding\\s*\\(\\s*rule\\s*==\\s*\"([^\"]*)\"");

    /**
     * Facts whose absence is an answer once the logs were read (which Incident says), and those
     * that no probe brings.
     */
    private static final Set<String> NEVER_NEEDED =
            Set.of(
                    "Setting",
                    "Finding",
                    "Advice",
                    "Unknown",
                    "Known",
                    "Sighting",
                    "LogEvent",
                    "RankState",
                    "CollectiveState",
                    "WaitFor");

    private final RuleFolder f;
    private final String drl;
    private final String yaml;
    private final Problems problems;

    private RuleLint(RuleFolder f, Problems problems) {
        this.f = f;
        this.drl = f.label() + "/rule.drl";
        this.yaml = f.label() + "/rule.yaml";
        this.problems = problems;
    }

    /**
     * Tells what is wrong with one rule.
     *
     * @param rules ids of all rules
     * @param causes the vocabulary of causes; empty when it is not at hand
     */
    public static void check(
            RuleFolder f, Set<String> rules, Set<String> causes, Problems problems) {
        if (f.descr() != null) {
            RuleLint lint = new RuleLint(f, problems);
            lint.types();
            lint.imports();
            lint.code();
            lint.consequence();
            lint.settings();
            lint.words();
            lint.needs();
            lint.references(rules, causes);
        }
    }

    /** Names of facts that there are not. */
    private void types() {
        Set<String> imported = new TreeSet<>();
        f.pack().getImports().forEach(i -> imported.add(i.getTarget().replaceFirst(".*\\.", "")));
        for (PatternDescr pattern : Conditions.patterns(f.descr())) {
            String type = pattern.getObjectType();
            if (FactTypes.named(type) == null && !imported.contains(type) && !type.contains(".")) {
                problems.at(
                        new Position(drl, Math.max(1, pattern.getLine()), pattern.getColumn() + 1),
                        "rule " + f.id() + ": there is no fact " + type,
                        DrlWords.facts(type));
            }
        }
    }

    /** Rules of one area are compiled together, so that a missing import would not be noticed. */
    private void imports() {
        Set<String> imported = new TreeSet<>();
        f.pack().getImports().forEach(i -> imported.add(i.getTarget()));
        for (String type : new TreeSet<>(Conditions.allTypes(f.descr()))) {
            if (FactTypes.named(type) != null
                    && !imported.contains("io.gpuflow.facts.*")
                    && !imported.contains("io.gpuflow.facts." + type)) {
                problems.file(drl, type + " is not imported", "import io.gpuflow.facts.*");
            }
        }
    }

    /** Conditions may compute; functions, globals and other libraries would let them do more. */
    private void code() {
        for (ImportDescr i : f.pack().getImports()) {
            if (!IMPORTS.matcher(i.getTarget()).matches()) {
                problems.file(
                        drl,
                        "rule " + f.id() + " imports " + i.getTarget(),
                        "only facts, Versions, GpuArchs and collections of java.util");
            }
        }
        boolean more =
                !f.pack().getFunctions().isEmpty()
                        || !f.pack().getGlobals().isEmpty()
                        || !f.pack().getFunctionImports().isEmpty()
                        || !f.pack().getTypeDeclarations().isEmpty();
        if (more) {
            problems.file(
                    drl,
                    "rule " + f.id() + " declares a function, a global or a type",
                    "keep to one rule of conditions and a conclusion");
        }
        Matcher when = WHEN.matcher(f.drl());
        if (when.find()) {
            for (String call : Calls.notAllowedInConditions(when.group(1))) {
                problems.at(
                        new Position(drl, Math.max(1, f.descr().getLine()), 1),
                        "rule " + f.id() + ": a condition calls " + call,
                        "it may only compare values: " + Calls.ALLOWED_WORDS);
            }
        }
    }

    private void consequence() {
        String then = String.valueOf(f.descr().getConsequence()).strip();
        Position at = new Position(drl, Math.max(1, f.descr().getConsequenceLine()), 1);
        Matcher m = INSERT.matcher(then);
        if (!m.matches()) {
            problems.at(
                    at,
                    "then does not just conclude",
                    "write one insertLogical( new Finding( \"" + f.id() + "\", … ) );");
        } else if (!m.group(1).equals(f.id())) {
            problems.at(at, "it concludes " + m.group(1), "a rule concludes its own id");
        }
        if (ACTS.matcher(then).find()) {
            problems.at(at, "then acts, reads or prints", "leave that to steps and probes");
        }
        for (String call : Calls.notAllowed(then)) {
            problems.at(
                    at,
                    "then calls " + call,
                    "it may only put values together: " + Calls.ALLOWED_WORDS);
        }
        Matcher denied = SELF_NEGATION.matcher(f.drl());
        while (denied.find()) {
            if (denied.group(1).equals(f.id())) {
                problems.file(
                        drl,
                        "it denies its own finding",
                        "it would fire and retract itself at once");
            }
        }
    }

    private void settings() {
        Set<String> used = new TreeSet<>();
        Matcher m = SETTING.matcher(f.drl());
        while (m.find()) {
            if (!m.group(1).equals(f.id())) {
                problems.file(drl, "reads a setting of " + m.group(1), "declare its own");
            }
            used.add(m.group(2));
        }
        Set<String> declared = declared();
        for (String name : used) {
            if (!declared.contains(name)) {
                String next = "add it to settings: in rule.yaml";
                problems.file(drl, "the setting " + name + " is not declared", next);
            }
        }
        for (String name : declared) {
            if (!used.contains(name)) {
                problems.file(yaml, "the setting " + name + " is not used", "remove it");
            }
        }
    }

    private Set<String> declared() {
        Set<String> declared = new TreeSet<>();
        f.card().settings().forEach(s -> declared.add(s.name()));
        return declared;
    }

    /** Each ${{ name }} is a setting or stands in the consequence as a value's name. */
    private void words() {
        RuleCard card = f.card();
        StringBuilder words = new StringBuilder(card.says()).append(' ').append(card.why());
        card.fixes().forEach(x -> words.append(' ').append(x.text()).append(' ').append(x.cost()));
        String then = String.valueOf(f.descr().getConsequence());
        Set<String> declared = declared();
        for (String name : new TreeSet<>(Words.names(words.toString()))) {
            if (!declared.contains(name) && !then.contains("\"" + name + "\"")) {
                problems.file(
                        yaml,
                        "${{ " + name + " }} has no value",
                        "put it into the finding in rule.drl");
            }
        }
        for (String name : card.merge()) {
            if (!then.contains("\"" + name + "\"")) {
                problems.file(yaml, "merge names " + name, "the finding has no such value");
            }
        }
    }

    /** Every fact that the rule must have is among its needs, else its silence would look fine. */
    private void needs() {
        Set<String> read = new TreeSet<>();
        Conditions.reads(f.descr()).forEach(r -> read.add(r.type()));
        read.removeAll(NEVER_NEEDED);
        Set<String> needed = new TreeSet<>();
        f.card().needs().forEach(n -> needed.add(n.type()));
        for (String type : read) {
            if (!needed.contains(type) && FactTypes.named(type) != null) {
                problems.file(
                        yaml,
                        "the rule rests on " + type + ", which needs: does not name",
                        "add it, so that its absence is told as unknown");
            }
        }
    }

    private void references(Set<String> rules, Set<String> causes) {
        RuleCard card = f.card();
        for (String alias : card.aliases()) {
            if (rules.contains(alias)) {
                problems.file(yaml, "its former id " + alias + " is a rule's", "remove it");
            }
        }
        for (String other : card.follows()) {
            if (!rules.contains(other)) {
                problems.file(yaml, "follows no rule " + other, Nearest.hint(other, rules));
            }
        }
        if (card.cause() != null && !causes.isEmpty() && !causes.contains(card.cause())) {
            problems.file(
                    yaml, "there is no cause " + card.cause(), Nearest.hint(card.cause(), causes));
        }
        if (card.level() != Verdict.Level.INFO && card.level() != null && card.fixes().isEmpty()) {
            problems.file(yaml, "it warns or fails without a fix", "say what to do");
        }
    }
}
