package io.gpuflow;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who may know whom: reading, judging, acting and printing live apart. */
class ArrowsTest {
    private static JavaClasses ours;

    @BeforeAll
    static void readClasses() {
        ours =
                new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("io.gpuflow");
    }

    @Test
    void factsKnowNothingOfOurs() {
        forbid("facts", "cli", "yaml", "flow", "expr", "probe", "tool", "parse", "scan", "trace");
        forbid("facts", "advise", "rules", "report");
    }

    @Test
    void readingKnowsNeitherJudgingNorActingNorPrinting() {
        for (String reader : new String[] {"parse", "scan", "trace", "probe", "tool", "expr"}) {
            forbid(reader, "rules", "flow", "report", "cli");
        }
        forbid("parse", "tool", "probe");
    }

    @Test
    void judgingDoesNotActOrPrint() {
        forbid("rules", "flow", "tool", "probe", "report", "cli");
    }

    @Test
    void printingKnowsFactsOnly() {
        forbid("report", "rules", "tool", "probe", "parse", "cli");
    }

    @Test
    void nothingKnowsTheCommandLine() {
        for (String other : new String[] {"yaml", "flow", "expr", "rules", "report", "advise"}) {
            forbid(other, "cli");
        }
    }

    @Test
    void oneDoorToEachLibrary() {
        onlyIn("rules", "org.drools..", "org.kie..");
        onlyIn("yaml", "org.yaml..");
        onlyIn("cli", "picocli..");
    }

    private static void forbid(String from, String... to) {
        for (String target : to) {
            noClasses()
                    .that()
                    .resideInAPackage("io.gpuflow." + from + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("io.gpuflow." + target + "..")
                    .allowEmptyShould(true)
                    .check(ours);
        }
    }

    private static void onlyIn(String home, String... libraries) {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.gpuflow." + home + "..", "gpuflow.rules..")
                .and()
                .resideInAPackage("io.gpuflow..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(libraries)
                .allowEmptyShould(true)
                .check(ours);
    }
}
