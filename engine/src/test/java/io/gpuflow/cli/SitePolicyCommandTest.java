package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a site.yaml does to the commands. */
class SitePolicyCommandTest {
    private static final Path HOME = Path.of(System.getProperty("gpuflow.home", "."));

    @TempDir Path temp;

    private void write(String name, String text) {
        try {
            Path file = temp.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void site(String text) {
        write("site.yaml", "gpuflow-site: 1\n" + text);
    }

    private record Said(int exit, String out) {}

    private Said gpuflow(String... arguments) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.out;
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            System.setOut(out);
            int exit = Main.run(arguments);
            return new Said(exit, bytes.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(before);
        }
    }

    private Said run(String workflow, String... more) {
        String[] fixed = {
            "run",
            workflow,
            "--site",
            temp.resolve("site.yaml").toString(),
            "--run-dir",
            temp.resolve("run-" + System.nanoTime()).toString()
        };
        String[] all = java.util.Arrays.copyOf(fixed, fixed.length + more.length);
        System.arraycopy(more, 0, all, fixed.length, more.length);
        return gpuflow(all);
    }

    private static final String OWN_TOOL =
            """
            gpuflow: 1
            steps:
              - { id: inlet, sh: "echo inlet=%s", parse: inlet, effect: read, check: [site] }
            """;

    @Test
    void ownWorkflowsAndParsersAreJudgedByOwnChecks() {
        site(
                """
                add:
                  - { workflows: flows, because: x }
                  - { parsers: parsers.yaml, because: x }
                  - check:
                      id: inlet-hot
                      level: fail
                      when: facts.own_value.exists(v, v.name == "celsius" && v.number > 35)
                      says: the air is ${{ facts.own_value[0].number }} degrees warm
                    because: x
                """);
        write(
                "parsers.yaml",
                "inlet: { regex: 'inlet=(?P<celsius>[0-9]+)', types: { celsius: int } }");
        write("flows/inlet.yaml", OWN_TOOL.formatted("41"));
        Said hot = run("inlet");
        assertEquals(1, hot.exit(), hot.out());
        assertTrue(hot.out().contains("the air is 41 degrees warm"), hot.out());
        write("flows/inlet.yaml", OWN_TOOL.formatted("21"));
        Said cool = run("inlet.yaml", "--json");
        assertEquals(0, cool.exit(), cool.out());
        assertTrue(cool.out().contains("\"policy\""), cool.out());
        assertTrue(cool.out().contains("parsers.yaml"), "every file is named: " + cool.out());
        write("flows/inlet.yaml", OWN_TOOL.formatted("broken"));
        Said unread = run("inlet");
        assertEquals(3, unread.exit(), unread.out());
        assertTrue(unread.out().contains("1 check could not be told"), unread.out());
    }

    @Test
    void ownSignaturesMakeOwnFindings() {
        write("job.log", "rank 0 starts\nLUSTRE-SITE: quota of project 17 exceeded on rank 3\n");
        write(
                "signatures/lustre.yaml",
                """
                signatures:
                  - id: site-quota
                    kind: fault
                    means: the project's quota is used up
                    wordings:
                      - { text: "LUSTRE-SITE: quota", match: "LUSTRE-SITE: quota of project (?<project>[0-9]+)" }
                """);
        site(
                """
                add:
                  - { signatures: signatures, because: x }
                  - check:
                      id: quota-exceeded
                      level: fail
                      role: root
                      when: facts.sighting.exists(s, s.signature == "site-quota")
                      says: the quota of project ${{ facts.sighting[0].values.project }} is used up
                    because: x
                """);
        String site = temp.resolve("site.yaml").toString();
        String log = temp.resolve("job.log").toString();
        Said said = gpuflow("diagnose", "--site", site, log);
        assertEquals(1, said.exit(), said.out());
        assertTrue(said.out().contains("The quota of project 17 is used up"), said.out());
        assertTrue(said.out().contains("policy: "), said.out());
        assertFalse(gpuflow("diagnose", "--no-site", log).out().contains("quota of project 17 is"));
    }

    @Test
    void baselinesOfTheSiteAreComparedWith() throws IOException {
        String recording = HOME.resolve("examples/h100x8-nvswitch/recording").toString();
        Files.createDirectories(temp.resolve("healthy"));
        String file = temp.resolve("healthy/node.json").toString();
        assertEquals(0, gpuflow("baseline", "save", "--machine", recording, "--to", file).exit());
        Files.writeString(
                Path.of(file), Files.readString(Path.of(file)).replace("580.159.04", "570.86.15"));
        site("add: [ { baselines: healthy, because: x } ]");
        String setup = HOME.resolve("workflows/setup.yaml").toString();
        String with = run(setup, "--machine", recording, "--json").out();
        assertTrue(with.contains("570.86.15"), "the driver has changed since: " + with);
    }

    @Test
    void mistakesInThePolicyStopBeforeAnythingRuns() {
        site("ignore: [ { rule: no-such-rule, because: x } ]");
        Said said = run(HOME.resolve("workflows/setup.yaml").toString());
        assertEquals(2, said.exit(), said.out());
        assertEquals("", said.out());
    }

    @Test
    void aBrokenOwnRuleMakesExitThree() {
        write("checks/bad.yaml", "{ id: bad, level: info, when: facts.gpuu, says: x }");
        site("add: [ { checks: checks, because: x } ]");
        String recording = HOME.resolve("examples/h100x8-nvswitch/recording").toString();
        String setup = HOME.resolve("workflows/setup.yaml").toString();
        assertEquals(0, run(setup, "--machine", recording, "--no-site").exit());
        Said said = run(setup, "--machine", recording);
        assertEquals(3, said.exit(), said.out());
        assertTrue(said.out().contains("broken: own rule bad ("), said.out());
    }

    @Test
    void aVetoedExperimentIsNotRunAndTheReportSaysByWhom() {
        site(
                """
                add:
                  - check:
                      id: no-detours
                      level: ignore
                      when: size(facts.gpu) > 0
                      says: detours hide broken machines
                      vetoes: [NCCL_P2P_DISABLE=1]
                    because: x
                """);
        String recording = HOME.resolve("examples/rtx6000x2-peer-hang/recording").toString();
        Said said = run(HOME.resolve("workflows/setup.yaml").toString(), "--machine", recording);
        assertTrue(said.out().contains("the site's rule no-detours vetoes it"), said.out());
        assertFalse(said.out().contains("tried p2p-off, confirmed"), said.out());
        assertFalse(said.out().contains("Keep NCCL_P2P_DISABLE=1"), said.out());
    }
}
