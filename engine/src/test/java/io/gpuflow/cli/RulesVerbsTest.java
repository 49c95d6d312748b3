package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a site's people do with rules, as they type it. */
class RulesVerbsTest {
    private static final String HEALTHY = "examples/h200x2-live/recording";
    private static final String SLOW = "examples/h200x2-p2p-disabled/recording";

    @TempDir static Path runs;
    @TempDir Path folder;
    private Path site;
    private static String run;

    @BeforeAll
    static void makeRun() {
        run = runs.resolve("slow").toString();
        Said said =
                Said.by(
                        "run",
                        "workflows/setup.yaml",
                        "--machine",
                        SLOW,
                        "--no-baseline",
                        "--no-site",
                        "--run-dir",
                        run);
        assertEquals(0, said.exit(), said.err());
    }

    @BeforeEach
    void makeSite() throws IOException {
        site = Files.writeString(folder.resolve("site.yaml"), "# ours\ngpuflow-site: 1\n");
    }

    private Said rules(String... args) {
        String[] all = new String[args.length + 3];
        all[0] = "rules";
        System.arraycopy(args, 0, all, 1, args.length);
        all[args.length + 1] = "--site";
        all[args.length + 2] = site.toString();
        return Said.by(all);
    }

    @Test
    void setIgnoreAndList() throws IOException {
        Said set =
                rules(
                        "set",
                        "busbw-below-expected",
                        "min_share=70%",
                        "--level",
                        "info",
                        "--because",
                        "bridge SKU",
                        "--until",
                        "2099-01-31");
        assertEquals(0, set.exit(), set.err());
        assertTrue(set.out().contains("+     to: { min_share: 0.7 }"), set.out());
        Said ignore = rules("ignore", "persistence-mode-off", "--because", "a daemon: ours");
        assertEquals(0, ignore.exit(), ignore.err());
        assertTrue(Files.readString(site).startsWith("# ours\n"));
        Said list = rules("list", "--changed");
        assertTrue(
                list.out().contains("min_share = 70 % (shipped: 85 %)")
                        || list.out().contains("min_share = 0.7 (shipped: 0.85)"),
                list.out());
        assertTrue(list.out().contains("level info (shipped: warn)"), list.out());
        assertTrue(list.out().contains(site + ":5:5: bridge SKU, until 2099-01-31"), list.out());
        assertTrue(list.out().contains("a daemon: ours"), list.out());
        assertTrue(list.out().contains("\n2 rules"), list.out());
    }

    @Test
    void wrongSettingsAreRefusedAndNothingChanges() throws IOException {
        String before = Files.readString(site);
        List<String[]> wrong =
                List.of(
                        new String[] {
                            "set", "busbw-below-expectd", "min_share=1", "--because", "x"
                        },
                        new String[] {
                            "set", "busbw-below-expected", "min_shar=1", "--because", "x"
                        },
                        new String[] {
                            "set", "busbw-below-expected", "min_share=7", "--because", "x"
                        },
                        new String[] {
                            "set", "busbw-below-expected", "min_share=a", "--because", "x"
                        },
                        new String[] {"set", "busbw-below-expected", "min_share=0.7"},
                        new String[] {"set", "busbw-below-expected", "--because", "x"},
                        new String[] {"ignore", "nothing-such", "--because", "x"},
                        new String[] {"ignore", "persistence-mode-off"},
                        new String[] {
                            "ignore", "persistence-mode-off", "--because", "x", "--until", "soon"
                        });
        for (String[] args : wrong) {
            Said said = rules(args);
            assertEquals(2, said.exit(), String.join(" ", args) + said.out());
            assertFalse(said.err().isBlank());
            assertEquals(before, Files.readString(site), String.join(" ", args));
        }
        assertTrue(
                rules("set", "busbw-below-expectd", "x=1", "--because", "x")
                        .err()
                        .contains("did you mean busbw-below-expected?"));
        Files.writeString(site, "gpuflow-site: 1\nignor: []\n");
        assertEquals(2, rules("ignore", "persistence-mode-off", "--because", "x").exit());
        assertEquals("gpuflow-site: 1\nignor: []\n", Files.readString(site));
    }

    @Test
    void aPolicyThatIsNamedAndNotThereYetIsMade() throws IOException {
        Path named = folder.resolve("named.yaml");
        Said set =
                Said.by(
                        "rules",
                        "set",
                        "busbw-below-expected",
                        "min_share=0.7",
                        "--because",
                        "bridges",
                        "--site",
                        named.toString());
        assertEquals(0, set.exit(), set.err());
        assertTrue(Files.readString(named).contains("min_share: 0.7"));
        Path absent = folder.resolve("absent.yaml");
        Said listed = Said.by("rules", "list", "--site", absent.toString());
        assertEquals(2, listed.exit(), "only what changes it may make it");
    }

    @Test
    void anIdThatIsBegunIsFinished() {
        String err = Said.by("explain", "p2p-copy").err();
        assertTrue(err.contains("did you mean p2p-copy-"), err);
        err = Said.by("explain", "qqqqqqqq").err();
        assertTrue(err.contains("gpuflow rules list names them"), err);
    }

    @Test
    void aNewRulePassesLintAndTest() throws IOException {
        Path own = folder.resolve("rules");
        for (String[] made :
                new String[][] {
                    {"site/gpu-too-warm", "GpuHealth.temperature_c"},
                    {"site_driver/other-driver", "Driver.version"},
                    {"site/ecc-is-off", "GpuMemoryErrors.ecc_enabled"},
                    {"site_bench/slow-here", "Bench.large_busbw_gbps"}
                }) {
            Said said =
                    rules("new", made[0], "--on", made[1], "--from", run, "--in", own.toString());
            assertEquals(0, said.exit(), said.err());
        }
        Files.writeString(site, "gpuflow-site: 1\nadd:\n  - { rules: rules, because: ours }\n");
        Said lint = rules("lint", "site*/*");
        assertEquals(0, lint.exit(), lint.out());
        Said test = rules("test", "--own", "--junit", folder.resolve("j.xml").toString());
        assertEquals(0, test.exit(), test.out());
        assertTrue(test.out().contains("16 cases, 0 failed"), test.out());
        assertTrue(Files.readString(folder.resolve("j.xml")).contains("tests=\"16\""));
        Path cases = own.resolve("site/gpu-too-warm/cases.yaml");
        Files.writeString(
                cases, Files.readString(cases).replace("expect: quiet", "expect: { fires: true }"));
        Said failed = rules("test", "gpu-too-warm");
        assertEquals(1, failed.exit(), failed.out());
        assertTrue(failed.out().contains(cases + ":5:3: gpu-too-warm: a near miss"), failed.out());
        assertTrue(failed.out().contains("no case that is quiet"), failed.out());
        Path drl = own.resolve("site/gpu-too-warm/rule.drl");
        Files.writeString(
                drl, Files.readString(drl).replace("temperatureC != null", "tempC != null"));
        Said judged =
                Said.by(
                        "run",
                        "workflows/setup.yaml",
                        "--machine",
                        HEALTHY,
                        "--site",
                        site.toString(),
                        "--run-dir",
                        folder.resolve("judged").toString());
        assertEquals(3, judged.exit(), judged.out());
        assertTrue(
                judged.out().contains("Could not tell: the rule gpu-too-warm is broken"),
                judged.out());
        Said broken = rules("lint", "gpu-too-warm");
        assertEquals(2, broken.exit(), broken.out());
        assertTrue(broken.out().contains("GpuHealth has no component tempC"), broken.out());
    }

    @Test
    void aReportThatCanNotBeWrittenIsTold() {
        Said said = rules("test", "wrong-results", "--junit", "/nothere/j.xml");
        assertEquals(2, said.exit());
        assertTrue(said.err().contains("/nothere/j.xml can't be written"), said.err());
        assertEquals(2, rules("docs", "/proc/pages").exit());
    }

    /** An unpacked archive has no samples: what rests on them is told, and fails nothing. */
    @Test
    void casesWithoutTheirSampleAreToldAndNotRun() throws IOException {
        Path own = folder.resolve("rules");
        assertEquals(0, rules("new", "site/gpu-too-warm", "--in", own.toString()).exit());
        Files.writeString(site, "gpuflow-site: 1\nadd:\n  - { rules: rules, because: ours }\n");
        Path cases = own.resolve("site/gpu-too-warm/cases.yaml");
        Files.writeString(
                cases,
                Files.readString(cases)
                        + "- case: elsewhere\n  sample: topo-m/nothere.out\n  expect: quiet\n");
        Said said = rules("test", "gpu-too-warm");
        assertEquals(0, said.exit(), said.out());
        assertTrue(said.out().contains("1 cases rest on samples that are not here"), said.out());
    }

    @Test
    void newRefusesWhatIsNoName() {
        String in = folder.resolve("rules").toString();
        for (String name : List.of("x", "a/b/c", "site/Bad", "bench/mine", "site/wrong-results")) {
            assertEquals(2, rules("new", name, "--in", in).exit(), name);
        }
        Said said = rules("new", "site/mine", "--on", "GpuHelth.x", "--in", in);
        assertEquals(2, said.exit());
        assertTrue(said.err().contains("did you mean GpuHealth?"), said.err());
        assertEquals(2, rules("new", "site/mine", "--on", "GpuHealth.nope", "--in", in).exit());
        assertFalse(Files.exists(folder.resolve("rules")));
    }

    @Test
    void learnProposesTheLeastChangeAndFigures() throws IOException {
        String strict =
                "gpuflow-site: 1\nset:\n  - rule: busbw-below-expected\n    to: { min_share: 1 } # strict\n"
                        + "    because: new machine\n";
        Files.writeString(site, strict);
        Said shown = rules("learn", HEALTHY);
        assertEquals(0, shown.exit(), shown.err());
        assertTrue(shown.out().contains("-     to: { min_share: 1 } # strict"), shown.out());
        assertTrue(shown.out().contains("+     to: { min_share: 0.9"), shown.out());
        assertTrue(shown.out().contains("+   - machine: h200x2"), shown.out());
        assertTrue(shown.out().contains("all_reduce: { target: 339, warn: -10%"), shown.out());
        assertEquals(strict, Files.readString(site));
        Path before = Files.writeString(folder.resolve("before.yaml"), strict);
        Said written = rules("learn", HEALTHY, "--write");
        assertEquals(0, written.exit(), written.err());
        Said diff = Said.by("rules", "diff", before.toString(), site.toString(), "--runs", HEALTHY);
        assertEquals(1, diff.exit(), diff.out() + diff.err());
        assertTrue(diff.out().contains("  busbw-below-expected\n    - warn: "), diff.out());
        assertTrue(diff.out().contains("    + quiet"), diff.out());
        Said slow =
                Said.by(
                        "run",
                        "workflows/setup.yaml",
                        "--machine",
                        SLOW,
                        "--site",
                        site.toString(),
                        "--run-dir",
                        folder.resolve("slow").toString());
        assertEquals(1, slow.exit(), slow.out());
        assertTrue(
                slow.out().contains("so also: all_reduce reaches 25 GB/s; a h200x2 reaches 339"),
                "it stands beneath its cause\n" + slow.out());
        Said again = rules("learn", HEALTHY);
        assertTrue(again.out().contains("h200x2 are there already"), again.out());
        assertTrue(again.out().contains("nothing to learn"), again.out());
    }

    @Test
    void whatIsIllIsNotLearntAway() {
        Said said = rules("learn", run);
        assertEquals(0, said.exit(), said.err());
        assertTrue(said.out().contains("not learnt: p2p-setting-costs-bandwidth"), said.out());
        assertTrue(said.out().contains("no figures are learnt"), said.out());
        assertFalse(said.out().contains("+ expected:"), said.out());
    }

    @Test
    void policiesThatJudgeAlikeDoNotDiffer() {
        Said same = Said.by("rules", "diff", "shipped", site.toString(), "--runs", SLOW);
        assertEquals(0, same.exit(), same.out() + same.err());
        assertEquals(2, Said.by("rules", "diff", "shipped", "/nothere", "--runs", SLOW).exit());
        assertEquals(
                2,
                Said.by("rules", "diff", "shipped", "shipped", "--runs", folder.toString()).exit());
    }

    @Test
    void docsHasAPageARule() throws IOException {
        Path pages = folder.resolve("pages");
        Said said = rules("docs", pages.toString());
        assertEquals(0, said.exit(), said.err());
        String page = Files.readString(pages.resolve("bench/wrong-results.md"));
        assertTrue(page.startsWith("# wrong-results\n"), page);
        assertTrue(page.contains("## Cases"), page);
        assertFalse(page.contains("${{"), page);
        String index = Files.readString(pages.resolve("README.md"));
        assertTrue(index.contains("(bench/wrong-results.md)"), "the index links it");
        assertFalse(index.contains("${{"));
    }

    @Test
    void explainShowsValuesAndWhereFactsComeFrom() {
        Said page = Said.by("explain", "busbw-below-expected", "--no-site");
        assertFalse(page.out().contains("${{"), page.out());
        assertFalse(page.out().contains("insertLogical"), page.out());
        Said source = Said.by("explain", "busbw-below-expected", "--source", "--no-site");
        assertTrue(source.out().contains("insertLogical"), source.out());
        Said found = Said.by("explain", "busbw-below-expected", "--run", run, "--no-site");
        assertTrue(found.out().contains("stdout:"), found.out());
        assertTrue(found.out().contains("  (rule.yaml)"), found.out());
        Said whyNot = Said.by("why-not", "clocks-limited", "--run", run, "--no-site");
        assertEquals(0, whyNot.exit(), whyNot.err());
        assertFalse(whyNot.out().contains("$"), whyNot.out());
        assertTrue(whyNot.out().contains("utilization_percent"), whyNot.out());
        assertTrue(whyNot.out().contains("(nvidia-smi -q -x)"), whyNot.out());
        Said drl = Said.by("why-not", "clocks-limited", "--run", run, "--source", "--no-site");
        assertTrue(drl.out().contains("$gpu"), drl.out());
    }

    @Test
    void explainNamesThePlaceOfASetting() {
        rules("set", "busbw-below-expected", "min_share=0.8", "--because", "bridge SKU");
        Said found =
                Said.by("explain", "busbw-below-expected", "--run", run, "--site", site.toString());
        assertTrue(found.out().contains(site + ":6:"), found.out());
        assertTrue(found.out().contains(": bridge SKU)"), found.out());
    }

    @Test
    void lintTellsWrongPolicies() throws IOException {
        assertEquals(0, Said.by("lint", site.toString()).exit());
        Files.writeString(site, "gpuflow-site: 1\nignore:\n  - { rule: nope, because: x }\n");
        Said said = Said.by("lint", site.toString());
        assertEquals(2, said.exit());
        assertTrue((said.out() + said.err()).contains("site.yaml:3:13"), said.out() + said.err());
    }
}
