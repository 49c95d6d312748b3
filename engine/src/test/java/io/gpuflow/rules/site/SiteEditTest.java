package io.gpuflow.rules.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.report.LineDiff;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.YamlDocument;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SiteEditTest {
    private static final String FILE =
            """
            # Policy of the lab. Ask Ada before you change it.
            gpuflow-site: 1

            set:   # thresholds
              # the bridge SKU, see the vendor's sheet
              - { rule: busbw-below-expected, to: { min_share: 0.7 }, because: bridge SKU }  # keep

              - rule: clocks-limited
                to:
                  max_share: 0.5   # measured in May
                because: "power cap: the room is warm"
            ignore:
            - rule: persistence-mode-off
              because: another daemon does it
            # the end
            """;

    private static SiteEdit edit(String text) {
        return new SiteEdit("site.yaml", text);
    }

    @Test
    void aValueIsReplacedWhereItStands() throws Exception {
        SiteEdit edit = edit(FILE);
        edit.set("busbw-below-expected", "min_share", "0.6", null, null);
        edit.set("clocks-limited", "max_share", "0.4", null, null);
        assertEquals(
                FILE.replace("min_share: 0.7", "min_share: 0.6")
                        .replace("max_share: 0.5", "max_share: 0.4"),
                edit.text());
    }

    @Test
    void aFurtherSettingStandsBesideTheFirst() throws Exception {
        SiteEdit edit = edit(FILE);
        edit.set("busbw-below-expected", "other", "1", null, null);
        edit.set("clocks-limited", "min_utilization", "70", null, null);
        assertEquals(
                FILE.replace("{ min_share: 0.7 }", "{ other: 1, min_share: 0.7 }")
                        .replace(
                                "      max_share: 0.5",
                                "      min_utilization: 70\n      max_share: 0.5"),
                edit.text());
    }

    @Test
    void aNewEntryStandsBehindTheLast() throws Exception {
        SiteEdit edit = edit(FILE);
        edit.set("nvlink-links-down", "most", "1", "one is known", LocalDate.of(2027, 1, 31));
        assertEquals(
                FILE.replace(
                        "ignore:\n",
                        """
                          - rule: nvlink-links-down
                            to: { most: 1 }
                            because: one is known
                            until: 2027-01-31
                        ignore:
                        """),
                edit.text());
        edit.ignore("gpu-already-in-use", "shared: by design", null);
        assertTrue(
                edit.text()
                        .contains(
                                """
                                  because: another daemon does it
                                - rule: gpu-already-in-use
                                  because: "shared: by design"
                                # the end
                                """),
                edit.text());
    }

    @Test
    void reasonsAreReplaced() throws Exception {
        SiteEdit edit = edit(FILE);
        edit.ignore("persistence-mode-off", "a new reason", LocalDate.of(2027, 6, 30));
        assertTrue(edit.text().contains("because: a new reason\n# the end"), edit.text());
        assertTrue(edit.text().contains("- until: 2027-06-30\n  rule: persistence"), edit.text());
    }

    @Test
    void listsThatAreAbsentOrEmptyAreBegun() throws Exception {
        for (String text :
                List.of("", "ignore:\n", "ignore: []\n", "ignore: []  # none yet\n", "ignore:")) {
            SiteEdit edit = edit(SiteEdit.EMPTY + text);
            edit.ignore("a-rule", "so", null);
            edit.ignore("b-rule", "so", null);
            edit.level("c-rule", "info", "so", null);
            SitePolicy policy = read(edit.text());
            assertEquals(2, policy.ignore().size(), edit.text());
            assertEquals(1, policy.set().size(), edit.text());
        }
    }

    @Test
    void flowListsStayFlowLists() throws Exception {
        String text = "gpuflow-site: 1\nignore: [{ rule: a-rule, because: so }]\n";
        SiteEdit edit = edit(text);
        edit.ignore("b-rule", "so: too", null);
        assertEquals(
                "gpuflow-site: 1\nignore: [ { rule: b-rule, because: \"so: too\" },{ rule: a-rule,"
                        + " because: so }]\n",
                edit.text());
    }

    @Test
    void whatCanNotBeChangedIsRefused() {
        assertThrows(
                SiteEdit.Impossible.class,
                () -> edit("{ gpuflow-site: 1 }\n").ignore("a-rule", "so", null));
        assertThrows(SiteEdit.Impossible.class, () -> edit("- a\n").ignore("a-rule", "so", null));
    }

    /** Any text as reason comes back as it was, and nothing else changes. */
    @Test
    void anyReasonComesBack() throws Exception {
        Random random = new Random(3);
        String letters = "ab :#{}[],&*!|>'\"%@`-?\\\n\täß €0.1~=";
        for (int i = 0; i < 400; i++) {
            StringBuilder because = new StringBuilder("x");
            for (int n = random.nextInt(12); n > 0; n--) {
                because.append(letters.charAt(random.nextInt(letters.length())));
            }
            SiteEdit edit = edit(FILE);
            edit.ignore("a-rule", because.toString(), null);
            edit.set("b-rule", "x", "1", because.toString(), null);
            SitePolicy policy = read(edit.text());
            assertEquals(because.toString(), policy.ignore().get(1).reason().because());
            assertEquals(because.toString(), policy.set().get(2).reason().because());
            List<String> diff = LineDiff.lines(FILE, edit.text());
            assertTrue(diff.stream().noneMatch(l -> l.startsWith("- ")), diff.toString());
        }
    }

    @Test
    void anEntryThatWouldNotBeValidIsNotMade() {
        assertThrows(
                SiteEdit.Impossible.class,
                () -> edit(FILE).append("expected", Map.of("machine", "h200x2"), "so", null));
    }

    private static SitePolicy read(String text) {
        Problems problems = new Problems();
        YamlDocument document = YamlDocument.parse("site.yaml", text, problems);
        SitePolicy policy = SiteReader.shape().read(document.root(), problems);
        assertEquals(List.of(), problems.all(), text);
        return policy;
    }
}
