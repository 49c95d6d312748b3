package io.gpuflow.rules.folder;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.FactTypes;
import io.gpuflow.facts.Unknown;
import io.gpuflow.rules.FactFields;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The three files of a new rule about one component of one fact: a rule that works, to be changed
 * into the one that is wanted. A number is compared with a threshold, a text with a wanted text, a
 * flag must be true.
 */
public final class RuleScaffold {
    /** More facts of a run in one case say nothing more. */
    private static final int MOST_FACTS = 16;

    private final String area;
    private final String id;
    private final Class<? extends Fact> type;
    private final RecordComponent component;
    private final List<RecordComponent> names = new ArrayList<>();
    private final List<Fact> seen;
    private final String unknown;
    private final String run;

    /**
     * @param type the fact that it is about
     * @param component its component
     * @param facts of a run, to take cases from; may be empty
     * @param run what the run is called
     */
    public RuleScaffold(
            String area,
            String id,
            Class<? extends Fact> type,
            String component,
            Collection<? extends Fact> facts,
            String run) {
        this.area = area;
        this.id = id;
        this.type = type;
        this.component = component(type, component);
        this.run = run;
        for (RecordComponent c : type.getRecordComponents()) {
            boolean names =
                    c.getType() == int.class
                            || (c.getType() == String.class && this.names.isEmpty());
            if (names && !same(c, this.component) && this.names.size() < 2 && usable(c.getName())) {
                this.names.add(c);
            }
        }
        this.seen =
                facts.stream()
                        .filter(type::isInstance)
                        .filter(f -> FactFields.get(f, this.component.getName()) != null)
                        .distinct()
                        .limit(MOST_FACTS)
                        .map(f -> (Fact) f)
                        .toList();
        this.unknown =
                facts.stream()
                        .filter(f -> f instanceof Unknown u && of(u.what()))
                        .map(f -> ((Unknown) f).why())
                        .findFirst()
                        .orElse(null);
    }

    /** The component with this name, in snake_case or as Java has it; null when there is none. */
    public static RecordComponent component(Class<? extends Fact> type, String name) {
        for (RecordComponent c : type.getRecordComponents()) {
            if (c.getName().equals(name) || FactFields.snake(c.getName()).equals(name)) {
                return c;
            }
        }
        return null;
    }

    /** Whether a rule can be made about a component of this type. */
    public static boolean fits(RecordComponent component) {
        return usable(component.getName())
                && (number(component)
                        || component.getType() == String.class
                        || component.getType() == Boolean.class
                        || component.getType() == boolean.class);
    }

    /** Names that the rule language takes for its own can't stand in a condition. */
    private static boolean usable(String name) {
        return name.length() > 1
                && !List.of("unit", "from", "default", "end", "rule").contains(name);
    }

    /** Reflection makes them anew each time. */
    private static boolean same(RecordComponent a, RecordComponent b) {
        return b != null && a.getName().equals(b.getName());
    }

    private static boolean number(RecordComponent c) {
        return c.getType() == int.class
                || c.getType() == double.class
                || c.getType() == long.class
                || Number.class.isAssignableFrom(c.getType());
    }

    private boolean of(String what) {
        String name = type.getSimpleName();
        return what.equals(name) || what.equals(name + "." + component.getName());
    }

    public Map<String, String> files() {
        Map<String, String> files = new TreeMap<>();
        files.put("rule.drl", drl());
        files.put("rule.yaml", yaml());
        files.put("cases.yaml", cases());
        return files;
    }

    private boolean flag() {
        return !number(component) && component.getType() != String.class;
    }

    private String drl() {
        String value = component.getName();
        StringBuilder bound = new StringBuilder();
        StringBuilder put = new StringBuilder();
        for (RecordComponent c : names) {
            bound.append(", $").append(c.getName()).append(" : ").append(c.getName());
            put.append("\"").append(FactFields.snake(c.getName())).append("\", ");
            boolean maybe = !c.getType().isPrimitive();
            put.append(maybe ? "String.valueOf( $" + c.getName() + " )" : "$" + c.getName());
            put.append(", ");
        }
        String setting = number(component) ? "most" : "wanted";
        String holds = number(component) ? "$most : number" : "$wanted : text";
        String test =
                flag()
                        ? value + " == true"
                        : (component.getType().isPrimitive() ? "" : value + " != null, ")
                                + value
                                + (number(component) ? " > $most" : " != $wanted");
        String first =
                flag()
                        ? ""
                        : "  Setting( rule == \""
                                + id
                                + "\", name == \""
                                + setting
                                + "\", "
                                + holds
                                + " )\n";
        return "package gpuflow.rules."
                + area
                + "\n\nimport io.gpuflow.facts.*\nimport java.util.Map\n\nrule \""
                + id
                + "\"\nwhen\n"
                + first
                + "  "
                + type.getSimpleName()
                + "( "
                + test
                + bound
                + ", $found : "
                + value
                + " )\nthen\n  insertLogical( new Finding( \""
                + id
                + "\", Map.of( "
                + put
                + "\"found\", $found ) ) );\nend\n";
    }

    private String yaml() {
        String what = FactFields.snake(component.getName()).replace('_', ' ');
        StringBuilder of = new StringBuilder();
        for (RecordComponent c : names) {
            String name = FactFields.snake(c.getName());
            of.append(of.isEmpty() ? " of " : ", ").append(name.replace('_', ' '));
            of.append(" ${{ ").append(name).append(" }}");
        }
        String rest =
                flag()
                        ? ""
                        : number(component)
                                ? ", more than ${{ most }}"
                                : ", it should be ${{ wanted }}";
        String yaml =
                "id: "
                        + id
                        + "\nsince: \"0.1\"\nlevel: warn            # ignore, info, warn or fail\n"
                        + "confidence: 0.8\nneeds: ["
                        + type.getSimpleName()
                        + "."
                        + component.getName()
                        + "]\nsays: \"The "
                        + what
                        + of
                        + " is ${{ found }}"
                        + rest
                        + "\"\nwhy: >\n  Say here what it rests on and why it matters.\nfix:\n"
                        + "  - { kind: test, who: user, text: \"Say here what to look at\", cost: \"none\" }\n";
        if (flag()) {
            return yaml;
        }
        return yaml
                + "settings:\n  "
                + (number(component)
                        ? "most: { type: number, default: "
                                + plain(most())
                                + ", help: \"greatest value that is well, and where the number comes from\" }\n"
                        : "wanted: { type: text, default: "
                                + FactYaml.text(wanted())
                                + ", help: \"the value that is well, and who says so\" }\n");
    }

    /** The greatest value seen, so that the run is quiet; 100 without a run. */
    private double most() {
        return seen.stream()
                .mapToDouble(f -> ((Number) FactFields.get(f, component.getName())).doubleValue())
                .max()
                .orElse(100);
    }

    private String wanted() {
        return seen.isEmpty()
                ? "good"
                : String.valueOf(FactFields.get(seen.get(0), component.getName()));
    }

    private String cases() {
        String name = FactFields.snake(component.getName());
        String over = flag() ? "true" : number(component) ? plain(most() + 1) : "other";
        String well =
                flag() ? "false" : number(component) ? plain(most()) : FactYaml.text(wanted());
        StringBuilder cases = new StringBuilder();
        add(cases, "it fires", List.of(made(name, over)), "{ fires: true }");
        add(cases, "a near miss", List.of(made(name, well)), "quiet");
        add(
                cases,
                "it could not be asked",
                List.of(
                        "unknown: { what: "
                                + type.getSimpleName()
                                + ", why: the tool is missing }"),
                "unknown");
        if (!seen.isEmpty()) {
            add(
                    cases,
                    "as in " + run,
                    seen.stream().map(FactYaml::line).toList(),
                    speaks() ? "{ fires: true }" : "quiet");
        } else if (unknown != null) {
            String line =
                    "unknown: { what: "
                            + type.getSimpleName()
                            + ", why: "
                            + FactYaml.text(unknown)
                            + " }";
            add(cases, "as in " + run, List.of(line), "unknown");
        }
        return cases.toString();
    }

    private boolean speaks() {
        for (Fact fact : seen) {
            Object value = FactFields.get(fact, component.getName());
            if (flag()
                    ? Boolean.TRUE.equals(value)
                    : !number(component) && !value.equals(wanted())) {
                return true;
            }
        }
        return false;
    }

    /** A fact with what must be there, and the value. */
    private String made(String name, String value) {
        List<String> parts = new ArrayList<>();
        for (RecordComponent c : type.getRecordComponents()) {
            if (same(c, component)) {
                parts.add(name + ": " + value);
            } else if (names.stream().anyMatch(n -> same(n, c)) || c.getType().isPrimitive()) {
                parts.add(FactFields.snake(c.getName()) + ": " + some(c.getType()));
            }
        }
        String fact = FactFields.snake(type.getSimpleName());
        return fact + ": { " + String.join(", ", parts) + " }";
    }

    private static String some(Class<?> type) {
        return type == boolean.class ? "false" : type == String.class ? "some" : "0";
    }

    private static void add(StringBuilder cases, String name, List<String> given, String expect) {
        cases.append("- case: ").append(FactYaml.text(name)).append("\n  given:\n");
        given.forEach(fact -> cases.append("    - ").append(fact).append('\n'));
        cases.append("  expect: ").append(expect).append('\n');
    }

    private static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%s", value);
    }

    /** Facts that a rule can be about, by simple name. */
    public static List<String> types() {
        return FactTypes.all().stream().map(Class::getSimpleName).sorted().toList();
    }
}
