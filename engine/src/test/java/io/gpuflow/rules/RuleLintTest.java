package io.gpuflow.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.rules.build.RuleCompiler;
import io.gpuflow.rules.folder.RuleFolder;
import io.gpuflow.rules.folder.RuleLint;
import io.gpuflow.rules.folder.RuleSetLint;
import io.gpuflow.yaml.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuleLintTest {
    private static final String DRL =
            """
            package gpuflow.rules.bench

            import io.gpuflow.facts.*
            import java.util.Map

            rule "slow"
            when
              Setting( rule == "slow", name == "least", $least : number )
              Bench( largeBusbwGbps != null, largeBusbwGbps < $least, $got : largeBusbwGbps )
            then
              insertLogical( new Finding( "slow", Map.of( "got", $got ) ) );
            end
            """;
    private static final String YAML =
            """
            id: slow
            since: "0.1"
            level: warn
            needs: [Bench.largeBusbwGbps]
            says: "${{ got }} GB/s is under ${{ least }}"
            why: It is.
            fix:
              - { kind: test, who: user, text: look, cost: none }
            settings:
              least: { type: number, unit: GB/s, default: 10, help: "least bandwidth" }
            """;

    @TempDir Path folder;
    private Path rules;

    @BeforeEach
    void makeFolder() throws IOException {
        rules = Files.createDirectories(folder.resolve("rules"));
    }

    private List<String> lint(String drl, String yaml) throws IOException {
        return lint("bench/slow", drl, yaml);
    }

    private List<String> lint(String folder, String drl, String yaml) throws IOException {
        write(folder, drl, yaml);
        Problems problems = new Problems();
        List<RuleFolder> folders = RuleFolder.readAll(rules, problems);
        Set<String> causes = Set.of("slow-transport");
        folders.forEach(f -> RuleLint.check(f, Set.of("slow", "other"), causes, problems));
        return problems.all().stream()
                .map(p -> p.at().toString().replaceFirst(".*?/", "") + ": " + p.says())
                .toList();
    }

    private void write(String folder, String drl, String yaml) throws IOException {
        Path path = Files.createDirectories(rules.resolve(folder));
        Files.writeString(path.resolve("rule.drl"), drl);
        Files.writeString(path.resolve("rule.yaml"), yaml);
    }

    @Test
    void aGoodRuleHasNoProblems() throws IOException {
        assertEquals(List.of(), lint(DRL, YAML));
    }

    @Test
    void names() throws IOException {
        assertEquals(
                List.of("bench/slow/rule.yaml:1:1: id is slower in the folder slow"),
                lint(DRL, YAML.replace("id: slow", "id: slower")));
        assertEquals(
                List.of("bench/slow/rule.drl:6:1: the rule is named slower"),
                lint(DRL.replace("rule \"slow\"\n", "rule \"slower\"\n"), YAML));
        assertEquals(
                List.of("bench/slow/rule.drl:1:1: its package is gpuflow.rules.other"),
                lint(DRL.replace("rules.bench", "rules.other"), YAML));
    }

    @Test
    void theSameIdInTwoAreas() throws IOException {
        write("other/slow", DRL.replace("rules.bench", "rules.other"), YAML);
        List<String> problems = lint(DRL, YAML);
        assertEquals(1, problems.size(), problems.toString());
        assertTrue(
                problems.get(0).startsWith("other/slow:1:1: its id is taken by"), problems.get(0));
    }

    @Test
    void consequencesOnlyConclude() throws IOException {
        String prints =
                DRL.replace("  insertLogical", "  System.out.println( $got );\n  insertLogical");
        List<String> problems = lint(prints, YAML);
        assertTrue(
                problems.contains("bench/slow/rule.drl:10:1: then acts, reads or prints"),
                problems.toString());
        assertTrue(
                problems.contains("bench/slow/rule.drl:10:1: then does not just conclude"),
                problems.toString());
        List<String> other = lint(DRL.replace("Finding( \"slow\"", "Finding( \"other\""), YAML);
        assertEquals(List.of("bench/slow/rule.drl:10:1: it concludes other"), other);
    }

    @Test
    void aRuleMustNotDenyItsOwnFinding() throws IOException {
        String denies = DRL.replace("then\n", "  not Finding( rule == \"slow\" )\nthen\n");
        assertEquals(
                List.of("bench/slow/rule.drl:1:1: it denies its own finding"), lint(denies, YAML));
        String other = DRL.replace("then\n", "  not Finding( rule == \"other\" )\nthen\n");
        assertEquals(List.of(), lint(other, YAML));
    }

    @Test
    void settingsAreDeclaredAndUsed() throws IOException {
        List<String> problems = lint(DRL, YAML.replace("  least: {", "  most: {"));
        assertTrue(
                problems.contains("bench/slow/rule.drl:1:1: the setting least is not declared"),
                problems.toString());
        assertTrue(
                problems.contains("bench/slow/rule.yaml:1:1: the setting most is not used"),
                problems.toString());
        List<String> foreign =
                lint(DRL.replace("Setting( rule == \"slow\"", "Setting( rule == \"other\""), YAML);
        assertTrue(
                foreign.contains("bench/slow/rule.drl:1:1: reads a setting of other"),
                foreign.toString());
    }

    @Test
    void aSettingOutOfItsOwnRange() throws IOException {
        String yaml = YAML.replace("default: 10,", "default: 10, max: 5,");
        List<String> problems = lint(DRL, yaml);
        assertEquals(1, problems.size(), problems.toString());
        assertTrue(
                problems.get(0).equals("bench/slow/rule.yaml:10:47: its default is above max"),
                problems.toString());
    }

    @Test
    void wordsHaveValues() throws IOException {
        assertEquals(
                List.of("bench/slow/rule.yaml:1:1: ${{ expected }} has no value"),
                lint(DRL, YAML.replace("It is.", "It should be ${{ expected }}.")));
    }

    @Test
    void needsNameWhatTheRuleRestsOn() throws IOException {
        assertEquals(
                List.of(
                        "bench/slow/rule.yaml:1:1: the rule rests on Bench, which needs: does not name"),
                lint(DRL, YAML.replace("[Bench.largeBusbwGbps]", "[]")));
        assertEquals(
                List.of(
                        "bench/slow/rule.yaml:1:1: the rule rests on Bench, which needs: does not"
                                + " name",
                        "bench/slow/rule.yaml:4:9: Bench has no component busbw"),
                lint(DRL, YAML.replace("Bench.largeBusbwGbps", "Bench.busbw")));
    }

    @Test
    void importsStandInEachFile() throws IOException {
        String drl = DRL.replace("import io.gpuflow.facts.*", "import io.gpuflow.facts.Bench");
        assertEquals(List.of("bench/slow/rule.drl:1:1: Setting is not imported"), lint(drl, YAML));
    }

    @Test
    void referencesExist() throws IOException {
        assertEquals(
                List.of("bench/slow/rule.yaml:1:1: follows no rule slwo"),
                lint(DRL, YAML + "follows: [slwo]\n"));
        assertEquals(
                List.of("bench/slow/rule.yaml:1:1: there is no cause slow-transprot"),
                lint(DRL, YAML + "cause: slow-transprot\n"));
    }

    @Test
    void whoeverWarnsSaysWhatToDo() throws IOException {
        String yaml = YAML.replaceFirst("(?s)fix:.*?settings", "settings");
        assertEquals(
                List.of("bench/slow/rule.yaml:1:1: it warns or fails without a fix"),
                lint(DRL, yaml));
    }

    @Test
    void aFactThatThereIsNotIsToldWithItsPlace() throws IOException {
        assertEquals(
                List.of("bench/slow/rule.drl:9:3: rule slow: there is no fact Bensch"),
                lint(DRL.replace("Bench(", "Bensch("), YAML));
    }

    @Test
    void whatDoesNotReadIsToldWithItsPlace() throws IOException {
        assertEquals(
                List.of("bench/slow/rule.drl:9:25: rule slow: '!' does not belong here"),
                lint(DRL.replace("!= null, l", "!! null, l"), YAML));
    }

    @Test
    void onlyWhatPutsValuesTogetherMayBeCalled() throws IOException {
        for (String value :
                List.of(
                        "new java.io.File(\"x\").length()",
                        "java.nio.file.Files.size(null)",
                        "$got.getClass().getName()",
                        "java.lang.Runtime.getRuntime().exec(\"x\")",
                        "io.gpuflow.cli.Main.run(\"x\")",
                        "System.getenv(\"HOME\")")) {
            List<String> told = lint(DRL.replace("\"got\", $got", "\"got\", " + value), YAML);
            assertTrue(told.stream().anyMatch(p -> p.contains("then calls ")), value + told);
        }
        for (String value : List.of("String.valueOf( $got )", "Math.round( $got )", "List.of(1)")) {
            assertEquals(List.of(), lint(DRL.replace("\"got\", $got", "\"got\", " + value), YAML));
        }
    }

    @Test
    void conditionsComputeAndDoNothingElse() throws IOException {
        for (String condition :
                List.of(
                        "eval( java.lang.Runtime.getRuntime().exec(\"x\") != null )",
                        "eval( System.getenv(\"HOME\") != null )",
                        "$f : String() from new java.io.File(\"/\").list()",
                        "eval( $got.getClass() != null )",
                        "eval( String.class.getResource(\"/x\") != null )",
                        "eval( java.nio.file.Files.exists(null) )")) {
            List<String> told = lint(DRL.replace("\nthen", "\n  " + condition + "\nthen"), YAML);
            assertTrue(
                    told.stream().anyMatch(p -> p.contains("a condition calls ")),
                    condition + told);
        }
        for (String more :
                List.of(
                        "import java.io.File",
                        "import java.nio.file.*",
                        "import function java.lang.System.exit",
                        "global java.util.List out",
                        "function int f() { return 1; }")) {
            List<String> told = lint(DRL.replace("\nrule ", "\n" + more + "\nrule "), YAML);
            assertTrue(
                    told.stream().anyMatch(p -> p.contains(" imports ") || p.contains("declares")),
                    more + told);
        }
    }

    @Test
    void rulesThatAlwaysSpeakTogetherAreTold() throws IOException {
        write("bench/slow", DRL, YAML);
        write("bench/tardy", DRL.replace("slow", "tardy"), YAML.replace("id: slow", "id: tardy"));
        assertEquals(List.of("rule tardy has the same conditions as slow"), lintAll());
        String other = YAML.replace("id: slow", "id: tardy").replace("default: 10", "default: 5");
        write("bench/tardy", DRL.replace("slow", "tardy"), other);
        assertEquals(List.of(), lintAll());
    }

    @Test
    void aRuleThatDeniesWhatRestsOnItIsTold() throws IOException {
        write("bench/slow", denying("slow", "not Finding( rule == \"late\" )"), YAML);
        write(
                "bench/late",
                denying("late", "Finding( rule == \"slow\" )"),
                YAML.replace("slow", "late"));
        List<String> told = lintAll();
        assertEquals(1, told.size(), told.toString());
        assertTrue(told.get(0).contains("rests on its own (late ← slow)"), told.get(0));
    }

    private static String denying(String id, String condition) {
        return "package gpuflow.rules.bench\nimport io.gpuflow.facts.*\nrule \""
                + id
                + "\"\nwhen\n  "
                + condition
                + "\nthen\n  insertLogical( new Finding( \""
                + id
                + "\", java.util.Map.of() ) );\nend\n";
    }

    private List<String> lintAll() throws IOException {
        Problems problems = new Problems();
        RuleSetLint.check(RuleFolder.readAll(rules, problems), problems);
        return problems.all().stream().map(p -> p.says()).toList();
    }

    @Test
    void aMistakeLeavesOutItsRuleAlone() throws IOException {
        write("bench/slow", DRL, YAML);
        write(
                "bench/tardy",
                DRL.replace("slow", "tardy").replace("$got : largeBusbwGbps", "$got : larg"),
                YAML.replace("id: slow", "id: tardy")
                        .replace("level: warn", "level: warn\nfollows: [slow]"));
        Path classes = Files.createDirectories(rules.resolve("../classes").normalize());
        Files.createDirectories(classes.resolve("io/gpuflow/facts"));
        Files.createDirectories(classes.resolve("io/gpuflow/rules"));
        Path to = classes.resolve("gpuflow");
        RuleCompiler.main(new String[] {rules.toString(), classes.toString(), "lenient"});
        String leftOut = Files.readString(to.resolve("rules.left-out"));
        assertTrue(
                leftOut.contains("rule tardy: \"$got : larg\": there is no such component"),
                leftOut);
        assertEquals(1, leftOut.lines().count(), leftOut);
        assertTrue(Files.readString(to.resolve("rules.models")).contains("r_slow"));
        assertThrows(
                IllegalStateException.class,
                () -> RuleCompiler.main(new String[] {rules.toString(), classes.toString()}));
        write(
                "bench/tardy",
                DRL.replace("slow", "tardy"),
                YAML.replace("id: slow", "id: tardy").replace("default: 10", "default: 5"));
        RuleCompiler.main(new String[] {rules.toString(), classes.toString()});
        assertEquals("", Files.readString(to.resolve("rules.left-out")));
    }
}
