package io.gpuflow.rules.folder;

import io.gpuflow.expr.Nearest;
import io.gpuflow.facts.FactTypes;
import io.gpuflow.yaml.Position;
import io.gpuflow.yaml.Problems;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Says what the compiler of rules finds wrong in words of rules, with the place. */
public final class DrlWords {
    /** {@code [ERR 102] Line 12:18 mismatched input '!' in rule "x"}. */
    private static final Pattern SYNTAX =
            Pattern.compile(
                    "\\[ERR \\d+] Line (\\d+):(\\d+) (.*?)( in rule \".*\")?", Pattern.DOTALL);

    private static final Pattern INPUT = Pattern.compile("input '(.*?)'", Pattern.DOTALL);

    /** {@code unable to resolve method using strict-mode: io.gpuflow.facts.Bench.busBw()}. */
    private static final Pattern COMPONENT =
            Pattern.compile(
                    "unable to resolve method[^:]*: io\\.gpuflow\\.facts\\.(\\w+)\\.(\\w+)\\(\\)");

    private static final Pattern TYPE = Pattern.compile("Unable to resolve ObjectType '(\\w+)'");

    /**
     * {@code Field Reader does not exist for declaration '$got' in '$got : larg' in the rule 'x'}.
     */
    private static final Pattern BINDING =
            Pattern.compile("Field Reader does not exist for declaration '.*?' in '(.*?)'");

    private static final Pattern JAVA =
            Pattern.compile("Rule Compilation error (.*)", Pattern.DOTALL);
    private static final Pattern EXPRESSION =
            Pattern.compile(
                    "Unable to Analyse Expression (.*?):\\s*\\[Error: ([^\\n]*?)]", Pattern.DOTALL);

    private DrlWords() {}

    /**
     * Reports one message.
     *
     * @param file the rule.drl as messages name it
     * @param id of the rule
     * @param line where the compiler saw it, from 1; less when it did not tell
     */
    public static void tell(String file, String id, int line, String message, Problems problems) {
        Matcher m = SYNTAX.matcher(message.strip());
        if (m.matches()) {
            Position at =
                    new Position(
                            file, Integer.parseInt(m.group(1)), Integer.parseInt(m.group(2)) + 1);
            problems.at(
                    at, rule(id) + syntax(m.group(3)), "look for what is missing just before it");
            return;
        }
        Position at = new Position(file, Math.max(1, line), 1);
        m = COMPONENT.matcher(message);
        if (m.find()) {
            String next = Nearest.hint(m.group(2), components(m.group(1)));
            problems.at(at, rule(id) + m.group(1) + " has no component " + m.group(2), next);
            return;
        }
        m = TYPE.matcher(message);
        if (m.find()) {
            problems.at(at, rule(id) + "there is no fact " + m.group(1), facts(m.group(1)));
            return;
        }
        m = BINDING.matcher(message);
        if (m.find()) {
            String says = "\"" + oneLine(m.group(1)) + "\": there is no such component";
            problems.at(at, rule(id) + says, "gpuflow schema cases names those of each fact");
            return;
        }
        m = JAVA.matcher(message.strip());
        if (m.matches()) {
            String says = "after then: " + oneLine(m.group(1));
            problems.at(at, rule(id) + says, "it must be one insertLogical( new Finding( … ) );");
            return;
        }
        m = EXPRESSION.matcher(message);
        String says = m.find() ? "\"" + oneLine(m.group(1)) + "\": " + m.group(2) : message;
        problems.at(at, rule(id) + oneLine(says), "");
    }

    /** Whether a message is about what stands after then; it may follow from another mistake. */
    public static boolean afterThen(String message) {
        return JAVA.matcher(message.strip()).matches();
    }

    /** What to write instead of a fact type that there is not. */
    static String facts(String type) {
        return Nearest.hint(type, FactTypes.all().stream().map(Class::getSimpleName).toList());
    }

    private static String rule(String id) {
        return "rule " + id + ": ";
    }

    private static String syntax(String words) {
        Matcher input = INPUT.matcher(words);
        if (!input.find()) {
            return oneLine(words);
        }
        return input.group(1).equals("<eof>")
                ? "it ends too early"
                : "'" + oneLine(input.group(1)) + "' does not belong here";
    }

    private static List<String> components(String type) {
        Class<?> fact = FactTypes.named(type);
        return fact == null
                ? List.of()
                : Stream.of(fact.getRecordComponents()).map(c -> c.getName()).toList();
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s*\\n\\s*", " ");
    }
}
