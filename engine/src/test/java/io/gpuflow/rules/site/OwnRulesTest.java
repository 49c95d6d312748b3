package io.gpuflow.rules.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Judgement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnRulesTest {
    @TempDir Path temp;
    private SiteFolder site;

    @BeforeEach
    void folder() {
        site = new SiteFolder(temp.resolve("site"));
        site.site("add: [ { rules: rules, because: x } ]");
    }

    @Test
    void areCompiledOnceForEachStateOfTheirTexts() throws IOException {
        site.rule("site", "few-gpus");
        assertTrue(fires("few-gpus"));
        assertTrue(fires("few-gpus"));
        assertEquals(1, site.progress.size(), site.progress.toString());
        Path cached = cached();
        Files.setPosixFilePermissions(cached, PosixFilePermissions.fromString("rw-rw-rw-"));
        assertTrue(fires("few-gpus"));
        assertEquals(2, site.progress.size(), "a cache that others can write is not used");
        byte[] bytes = Files.readAllBytes(cached());
        Files.write(cached(), java.util.Arrays.copyOf(bytes, bytes.length / 2));
        assertTrue(fires("few-gpus"));
        assertEquals(3, site.progress.size(), "a damaged one neither");
        site.rule("site", "few-gpus", "  $t : Topology( gpuCount > 4 )", then("few-gpus", "1"));
        assertFalse(fires("few-gpus"));
        assertEquals(4, site.progress.size());
    }

    private Path cached() throws IOException {
        try (Stream<Path> list = Files.list(site.folder.resolve("cache"))) {
            return list.findFirst().get();
        }
    }

    private boolean fires(String id) {
        return SiteFolder.ids(site.judge(SiteFolder.fourOnPcie())).contains(id);
    }

    private static String then(String id, String value) {
        return "insertLogical( new Finding( \"" + id + "\", Map.of( \"gpus\", " + value + " ) ) );";
    }

    @Test
    void oneThatDoesNotCompileLeavesTheOthersAlone() {
        site.rule("site", "few-gpus")
                .rule(
                        "site",
                        "wrong",
                        "  Topology( gpuCountt < 8, $gpus : gpuCount )",
                        then("wrong", "$gpus"));
        Judgement judged = site.judge(SiteFolder.fourOnPcie());
        assertTrue(SiteFolder.ids(judged).contains("few-gpus"));
        assertBroken(judged, "wrong", "gpuCountt");
        assertTrue(judged.site().broken().get(0).at().contains("wrong/rule.drl:8"));
        judged = site.judge(SiteFolder.fourOnPcie());
        assertBroken(judged, "wrong", "gpuCountt");
        assertEquals(1, site.progress.size(), "what is wrong is remembered, too");
    }

    @Test
    void oneThatThrowsLeavesTheOthersAlone() {
        site.rule("site", "few-gpus")
                .rule(
                        "site",
                        "throws-then",
                        "  Topology( $gpus : gpuCount )",
                        then("throws-then", "1 / ( $gpus - 4 )"))
                .rule(
                        "site",
                        "throws-when",
                        "  Topology( $gpus : gpuCount, eval( 1 / ( gpuCount - 4 ) > 0 ) )",
                        then("throws-when", "$gpus"));
        Judgement judged = site.judge(SiteFolder.fourOnPcie());
        assertTrue(SiteFolder.ids(judged).contains("few-gpus"), judged.site().toString());
        assertTrue(SiteFolder.ids(judged).contains("pcie-only-no-tensor-parallel"));
        assertEquals(2, judged.site().broken().size(), judged.site().broken().toString());
        assertBroken(judged, "throws-then", "while judging: ArithmeticException: / by zero");
        assertBroken(judged, "throws-when", "while judging:");
    }

    @Test
    void oneThatNeverEndsLeavesTheOthersAlone() {
        site.rule("site", "few-gpus")
                .rule(
                        "site",
                        "flip",
                        "  Topology( $gpus : gpuCount )\n  not Finding( rule == \"flop\" )",
                        then("flip", "$gpus"))
                .rule(
                        "site",
                        "flop",
                        "  Topology( $gpus : gpuCount )\n  Finding( rule == \"flip\" )",
                        then("flop", "$gpus"));
        Judgement judged = site.judge(SiteFolder.fourOnPcie());
        assertTrue(SiteFolder.ids(judged).contains("few-gpus"), judged.site().toString());
        assertBroken(judged, judged.site().broken().get(0).rule(), "did not end");
        assertEquals(1, judged.site().broken().size());
    }

    private static void assertBroken(Judgement judged, String id, String why) {
        List<String> whys =
                judged.site().broken().stream()
                        .filter(b -> b.rule().equals(id))
                        .map(Judgement.Broken::why)
                        .toList();
        assertTrue(whys.size() == 1 && whys.get(0).contains(why), judged.site().toString());
        assertTrue(judged.untold().stream().anyMatch(u -> u.rule().equals(id)));
        assertFalse(SiteFolder.ids(judged).contains(id));
    }

    @Test
    void theyBuildOnChecksAndChecksBuildOnThem() {
        site.site(
                        """
                        add:
                          - { rules: rules, because: x }
                          - check: { id: four, level: info, when: facts.topology.gpu_count == 4, says: four }
                            because: x
                          - check:
                              id: both
                              level: info
                              when: facts.finding.exists(f, f.rule == "on-four" && f.values.gpus == 4)
                              says: both
                            because: x
                          - check: { id: zero, level: info, when: size(facts.finding) == 0, says: none }
                            because: x
                        """)
                .rule(
                        "site",
                        "on-four",
                        "  Finding( rule == \"four\" )\n  Topology( $gpus : gpuCount )",
                        then("on-four", "$gpus"));
        Judgement judged = site.judge(SiteFolder.fourOnPcie());
        assertEquals(List.of(), site.told());
        assertTrue(
                SiteFolder.ids(judged).containsAll(List.of("four", "on-four", "both")),
                SiteFolder.ids(judged) + " " + judged.site());
        assertFalse(SiteFolder.ids(judged).contains("zero"));
    }

    @Test
    void theirAreaIsTheirOwn() {
        site.rule("hardware", "few-gpus").rule("site_bench", "acs-on");
        Judgement judged = site.judge(SiteFolder.fourOnPcie());
        assertEquals(2, judged.site().broken().size());
        assertTrue(judged.site().toString().contains("own rules stand in site/"));
        assertTrue(judged.site().toString().contains("its id is a shipped rule's"));
    }

    @Test
    void oneThatOthersCanWriteIsNotLoaded() throws IOException {
        site.rule("site", "few-gpus");
        Path drl = site.folder.resolve("rules/site/few-gpus/rule.drl");
        Files.setPosixFilePermissions(drl, PosixFilePermissions.fromString("rw-rw-r--"));
        assertRefused("chmod go-w " + drl);
        Files.setPosixFilePermissions(drl, PosixFilePermissions.fromString("rw-r--r--"));
        assertTrue(fires("few-gpus"));
        Path rules = site.folder.resolve("rules");
        Files.setPosixFilePermissions(rules, PosixFilePermissions.fromString("rwxr-xrwx"));
        assertRefused(rules + " can be written by everybody");
        Files.setPosixFilePermissions(rules, PosixFilePermissions.fromString("rwxr-xr-x"));

        Path real = Files.move(rules, site.folder.resolve("real"));
        Files.createSymbolicLink(rules, real);
        assertTrue(fires("few-gpus"));
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rwxrwxr-x"));
        assertRefused(real + " can be written by its group");
    }

    @Test
    void oneOutOfARecordingIsNotLoaded() throws IOException {
        site.rule("site", "few-gpus");
        site.evidence = List.of(site.folder);
        assertRefused("which is what is looked at");
        site.evidence = List.of();
        assertTrue(fires("few-gpus"));
        Files.writeString(site.folder.resolve("recording.json"), "{}");
        assertRefused("it lies in a recording, run or bundle");
    }

    private void assertRefused(String why) {
        Judgement judged = site.judge(SiteFolder.fourOnPcie());
        assertBroken(judged, "few-gpus", why);
        assertTrue(SiteFolder.ids(judged).contains("pcie-only-no-tensor-parallel"));
    }

    @Test
    void whatBelongsToOthersIsNotTrusted() throws IOException {
        site.rule("site", "few-gpus");
        Path drl = site.folder.resolve("rules/site/few-gpus/rule.drl");
        int owner = (Integer) Files.getAttribute(drl, "unix:uid");
        if (owner == 0) {
            Files.setAttribute(drl, "unix:uid", 4711);
            assertTrue(new Trust(0, List.of()).problem(drl).contains("another user (uid 4711)"));
        } else {
            assertTrue(new Trust(owner + 1, List.of()).problem(drl).contains("another user"));
        }
    }
}
