package io.gpuflow.yaml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlDocumentTest {
    @TempDir Path folder;

    @Test
    void readsTheCoreSchemaOfYaml12() {
        Object value =
                plain(
                        "[on, off, yes, no, true, False, null, ~, 12, -3, 1.10, 10:30, 0644, 0o17,"
                                + " 0x1f, 1_000, 2026-11-29, .inf, 1e3, '5', \"true\","
                                + " 12345678901234567890]");
        assertEquals(
                Arrays.asList(
                        "on",
                        "off",
                        "yes",
                        "no",
                        true,
                        false,
                        null,
                        null,
                        12L,
                        -3L,
                        1.1,
                        "10:30",
                        "0644",
                        15L,
                        31L,
                        "1_000",
                        "2026-11-29",
                        Double.POSITIVE_INFINITY,
                        1000.0,
                        "5",
                        "true",
                        "12345678901234567890"),
                value);
    }

    @Test
    void replacesAliases() {
        assertEquals(Map.of("a", List.of(1L), "b", List.of(1L)), plain("{a: &x [1], b: *x}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "a: 1\\na: 2 → f:2:1: the key a is here twice",
                "if: !has(x) → f:1:5: text that begins with ! must be quoted",
                "if: ! x → f:1:5: text that begins with ! must be quoted",
                "if: !has(x) && y → f:1:5: text that begins with ! must be quoted",
                "a: *b → f:1:4: there is no anchor for this alias",
                "a: &x [*x] → f:1:4: this value contains itself",
                "<<: {a: 1} → f:1:1: merge keys (<<) are not supported",
                "[1]: 2 → f:1:1: a key must be text, this is a list",
                "a: 1\\n---\\nb: 2 → f:2:1: a second document begins here",
                "a: \"x → f:1:4: the quoted text that begins here is not closed",
                "a:\\n\\t- b → f:2:1: a tab can't be used to indent",
                "a: b: c → f:1:5: a : is not expected here",
                "a: BELL → f:1:4: character U+0007 is not allowed",
                "'' → f:1:1: the file is empty",
            })
    void saysWhereItStopsBeingYaml(String text, String problem) {
        Problems problems = new Problems();
        String source = text.equals("''") ? "" : text.translateEscapes().replace("BELL", "\u0007");
        YamlDocument.parse("f", source, problems);
        Problem first = problems.all().get(0);
        assertEquals(problem, first.at() + ": " + first.says());
    }

    @Test
    void positionsCountCharacters() {
        Problems problems = new Problems();
        YamlDocument document =
                YamlDocument.parse("f", "a: '😀é' # x\nb:  {c: 😀, d: 1}", problems);
        YamlNode.Entries inner = (YamlNode.Entries) ((YamlNode.Entries) document.root()).get("b");
        assertEquals(new Position("f", 2, 12), inner.entry("d").key().at());
    }

    @Test
    void offsetsInsideScalarsAreFound() {
        String text =
                "a: 'it''s x'\nb: |\n  one\n  two x\nc: \"q\\\"uo x\"\nd: >-\n  fold\n  ed x\n";
        YamlDocument document = YamlDocument.parse("f", text, new Problems());
        YamlNode.Entries map = (YamlNode.Entries) document.root();
        assertEquals(new Position("f", 1, 11), x(map, "a"));
        assertEquals(new Position("f", 4, 7), x(map, "b"));
        assertEquals(new Position("f", 5, 11), x(map, "c"));
        assertEquals(new Position("f", 8, 6), x(map, "d"));
    }

    private static Position x(YamlNode.Entries map, String key) {
        YamlNode.Scalar scalar = (YamlNode.Scalar) map.get(key);
        return scalar.at(scalar.value().indexOf('x'));
    }

    @Test
    void aliasBombsAndDeepNestingEndSoon() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 12; i++) {
            bomb.append("a" + i + ": &a" + i + " [" + ("*a" + (i - 1) + ", ").repeat(9) + "]\n");
        }
        assertEquals("more than 100000 values", only(bomb.toString()));
        StringBuilder tower = new StringBuilder("a0: &a0 1\n");
        for (int i = 1; i < 6000; i++) {
            tower.append("a" + i + ": &a" + i + " [[[[[[[[[[*a" + (i - 1) + "]]]]]]]]]]\n");
        }
        assertEquals("nested deeper than 50 levels", only(tower.toString()));
        assertEquals("nested deeper than 50 levels", only("[".repeat(100_000)));
        assertEquals("nested deeper than 50 levels", only("- ".repeat(100_000)));
        assertEquals("nested deeper than 50 levels", only("{a: ".repeat(100_000)));
    }

    @Test
    void refusesWhatIsNoTextFile() throws IOException {
        assertEquals("there is no such file", reading(folder.resolve("none")));
        assertEquals("is a folder", reading(folder));
        assertEquals("the file is UTF-16", reading(new byte[] {(byte) 0xfe, (byte) 0xff, 0, 65}));
        assertEquals(
                "the file is binary: it holds a NUL byte",
                reading("\177ELF\0\0".getBytes(StandardCharsets.ISO_8859_1)));
        assertEquals("byte 0xe9 is not UTF-8", reading(new byte[] {'a', ':', (byte) 0xe9, '\n'}));
        byte[] large = new byte[YamlDocument.LARGEST + 1];
        Arrays.fill(large, (byte) '#');
        assertTrue(reading(large).startsWith("the file is too large"));
        byte[] marked = "\ufeffa: 1".getBytes(StandardCharsets.UTF_8);
        assertNotNull(YamlDocument.read(write(marked), new Problems()));
    }

    private Path write(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("f.yaml"), bytes);
    }

    private String reading(byte[] bytes) throws IOException {
        return reading(write(bytes));
    }

    private static String reading(Path path) {
        Problems problems = new Problems();
        assertNull(YamlDocument.read(path, problems));
        return problems.all().get(0).says();
    }

    private static String only(String text) {
        Problems problems = new Problems();
        YamlDocument.parse("f", text, problems);
        assertEquals(1, problems.count());
        return problems.all().get(0).says();
    }

    private static Object plain(String text) {
        Problems problems = new Problems();
        YamlDocument document = YamlDocument.parse("f", text, problems);
        assertTrue(problems.isEmpty(), () -> problems.all().toString());
        return Shapes.any().read(document.root(), problems);
    }
}
