package io.gpuflow.rules.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Bench;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Unknown;
import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.RuleCard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SitePolicyTest {
    private static final String PCIE = "pcie-only-no-tensor-parallel";

    @TempDir Path temp;
    private SiteFolder site;

    @BeforeEach
    void folder() {
        site = new SiteFolder(temp);
    }

    @Test
    void everyMistakeIsToldAtOnceWithItsPlace() {
        site.site(
                        """
                        set:
                          - { rule: busbw-below-expectd, to: { min_share: 0.5 }, because: x }
                          - { rule: busbw-below-expected, to: { min_shar: 0.5 }, because: x }
                          - { rule: busbw-below-expected, to: { min_share: 7 }, because: x }
                          - { rule: busbw-below-expected, to: { min_share: much }, because: x }
                        ignore:
                          - { rule: acs-on }
                        except:
                          - { rule: acs-on, if: facts.topolgy.gpu_count == 4, because: x }
                          - { rule: acs-on, if: size(hosts), because: x, until: soon }
                        """)
                .load();
        assertEquals(
                List.of(
                        "3:13 there is no rule busbw-below-expectd | did you mean"
                                + " busbw-below-expected?",
                        "4:41 busbw-below-expected has no setting min_shar | did you mean"
                                + " min_share?",
                        "5:52 must be a number from 0.1 to 1.0, this is 7 | add it: because",
                        "6:52 must be a number from 0.1 to 1.0, this is much",
                        "8:5 an ignored rule needs because: | add it: why it is so here, for"
                                + " whoever reads it next year"),
                site.told().subList(0, 5).stream()
                        .map(t -> t.startsWith("5:52") ? t + " | add it: because" : t)
                        .toList());
        List<String> rest = site.told().subList(5, site.told().size());
        assertTrue(rest.get(0).contains("did you mean topology?"), rest.toString());
        assertTrue(rest.stream().anyMatch(t -> t.contains("true or false")), rest.toString());
        assertTrue(rest.stream().anyMatch(t -> t.contains("2027-01-31")), rest.toString());
    }

    @Test
    void settingsAndLevelsChangeWithoutACopy() {
        site.site(
                """
                set:
                  - { rule: pcie-only-no-tensor-parallel, level: fail, because: x }
                  - { rule: pcie-only-no-tensor-parallel, to: { min_gpus: 5 }, because: x }
                """);
        assertFalse(SiteFolder.ids(site.judge(SiteFolder.fourOnPcie())).contains(PCIE));
        assertEquals(List.of(), site.told());
        site.site("set: [ { rule: " + PCIE + ", level: fail, because: x } ]");
        Judgement judged = site.judge(SiteFolder.fourOnPcie());
        Verdict verdict =
                judged.verdicts().stream().filter(v -> v.id().equals(PCIE)).findFirst().get();
        assertEquals(Verdict.Level.FAIL, verdict.level());
        assertEquals(64, judged.site().files().get(0).sha256().length());
    }

    @Test
    void anIgnoredRuleIsQuietUntilItsDay() {
        site.site("ignore: [ { rule: " + PCIE + ", because: x, until: 2026-12-01 } ]");
        assertFalse(SiteFolder.ids(site.judge(SiteFolder.fourOnPcie())).contains(PCIE));
        site.site("ignore: [ { rule: " + PCIE + ", because: x, until: 2026-11-30 } ]");
        Judgement expired = site.judge(SiteFolder.fourOnPcie());
        assertTrue(SiteFolder.ids(expired).contains(PCIE));
        assertTrue(
                expired.notes().stream().anyMatch(n -> n.contains("site.yaml:2:11: the ignore")),
                expired.notes().toString());
    }

    @Test
    void anExceptionHidesWhatItIsAboutAndSaysSo() {
        String except = "except: [ { rule: " + PCIE + ", if: %s, because: known } ]";
        site.site(except.formatted("facts.topology.gpu_count == 4"));
        Judgement hidden = site.judge(SiteFolder.fourOnPcie());
        assertFalse(SiteFolder.ids(hidden).contains(PCIE));
        assertEquals("known", hidden.site().suppressed().get(0).because());
        assertTrue(hidden.site().suppressed().get(0).says().contains("4 GPUs"));

        site.site(except.formatted("values.gpus == 5"));
        assertTrue(SiteFolder.ids(site.judge(SiteFolder.fourOnPcie())).contains(PCIE));
        site.site(except.formatted("facts.host.name == \"lab\""));
        assertTrue(
                SiteFolder.ids(site.judge(SiteFolder.fourOnPcie())).contains(PCIE),
                "what is not known excuses nothing");
    }

    @Test
    void anExceptionThatKeepsNothingBackIsTold() {
        site.site("except: [ { rule: acs-on, if: facts.topology.gpu_count == 4, because: x } ]");
        List<String> notes = site.judge(SiteFolder.fourOnPcie()).notes();
        assertTrue(notes.stream().anyMatch(n -> n.contains("kept nothing back")), "" + notes);
        site.site("except: [ { rule: acs-on, if: facts.topology.gpu_count == 8, because: x } ]");
        notes = site.judge(SiteFolder.fourOnPcie()).notes();
        assertFalse(notes.stream().anyMatch(n -> n.contains("kept nothing back")), "" + notes);
    }

    @Test
    void aFormerIdIsUnderstoodAndItsNewOneTold() {
        Map<String, RuleCard> cards = io.gpuflow.rules.ShippedRules.cards();
        assertNull(io.gpuflow.rules.Policy.id(cards, "no-such-rule"));
        site.rule("site", "few-gpus")
                .with(
                        "rules/site/few-gpus/rule.yaml",
                        """
                        id: few-gpus
                        since: "1"
                        level: info
                        needs: [Topology]
                        says: "${{ gpus }} GPUs"
                        why: by contract
                        aliases: [gpu-shortage]
                        """)
                .site(
                        """
                        add: [ { rules: rules, because: x } ]
                        ignore: [ { rule: gpu-shortage, because: x } ]
                        """);
        Judgement judged = site.judge(SiteFolder.fourOnPcie());
        assertEquals(List.of(), site.told());
        assertFalse(SiteFolder.ids(judged).contains("few-gpus"));
        assertTrue(
                judged.notes().stream().anyMatch(n -> n.contains("is named few-gpus now")),
                judged.notes().toString());
    }

    @Test
    void figuresOfAMachineTypeWarnAndFailByTheirBand() {
        site.site(
                """
                expected:
                  - machine: h200x2
                    if: size(facts.gpu) == 2
                    figures: { all_reduce: { target: 400, warn: -10%, fail: -25% } }
                    because: measured
                """);
        assertNull(level(340, 1), "another machine");
        assertNull(level(361, 2));
        assertEquals(Verdict.Level.WARN, level(340, 2));
        assertEquals(Verdict.Level.FAIL, level(299, 2));
        assertEquals(List.of(), site.told());
    }

    private Verdict.Level level(double busbw, int gpus) {
        Bench bench =
                new Bench("x", "all_reduce", 2, busbw, busbw, busbw, 1L << 31, 0L, null, true);
        Gpu second = gpus == 2 ? gpu(1) : gpu(0);
        return site.judge(bench, gpu(0), second).verdicts().stream()
                .filter(v -> v.id().equals("expected-h200x2-all-reduce"))
                .map(Verdict::level)
                .findFirst()
                .orElse(null);
    }

    private static Gpu gpu(int index) {
        return new Gpu(index, "nvidia", "H200", null, null, null, null, null);
    }

    @Test
    void ownIdsCantTakeThoseOfShippedRules() {
        site.site(
                """
                add:
                  - check: { id: acs-on, level: info, when: "true", says: x }
                    because: x
                """);
        site.load();
        assertTrue(site.told().get(0).contains("the id acs-on is a shipped rule's"));
    }

    @Test
    void aBrokenFileOfChecksStopsNothingElse() {
        site.with("checks/good.yaml", "{ id: good, level: info, when: true, says: fine }")
                .with("checks/bad.yaml", "{ id: bad, level: info, when: facts.gpuu == 1, says: x }")
                .site("add: [ { checks: checks, because: x } ]");
        Judgement judged = site.judge(new Unknown("Topology", "no tool"));
        assertEquals(List.of(), site.told());
        assertTrue(SiteFolder.ids(judged).contains("good"));
        assertEquals("bad", judged.site().broken().get(0).rule());
        assertTrue(judged.site().broken().get(0).at().contains("bad.yaml:1:"));
        assertTrue(judged.untold().stream().anyMatch(u -> u.rule().equals("bad")));
        assertEquals(3, judged.site().files().size());
    }

    @Test
    void theFirstPlaceCountsAndEvidenceIsNone() throws IOException {
        Path home = Files.createDirectories(temp.resolve("home/.config/gpuflow"));
        Path here = Files.createDirectories(temp.resolve("here"));
        Map<String, String> env = Map.of("HOME", temp.resolve("home").toString());
        Files.writeString(home.resolve("site.yaml"), "gpuflow-site: 1");
        List<String> told = new java.util.ArrayList<>();
        assertEquals(
                home.resolve("site.yaml"), SitePlaces.find(null, env, here, List.of(), told::add));
        Files.writeString(here.resolve("site.yaml"), "gpuflow-site: 1");
        assertEquals(
                here.resolve("site.yaml"), SitePlaces.find(null, env, here, List.of(), told::add));
        assertEquals(List.of(), told);
        assertEquals(
                home.resolve("site.yaml"),
                SitePlaces.find(null, env, here, List.of(here), told::add));
        assertTrue(told.get(0).contains("which is what is looked at"), told.toString());
        Path named = temp.resolve("named.yaml");
        assertEquals(named, SitePlaces.find(named, env, here, List.of(here), told::add));
        Map<String, String> variable = Map.of("GPUFLOW_SITE", "v.yaml");
        assertEquals(
                Path.of("v.yaml"), SitePlaces.find(null, variable, here, List.of(), told::add));
    }
}
