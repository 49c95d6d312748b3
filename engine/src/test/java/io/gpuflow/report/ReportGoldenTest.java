package io.gpuflow.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each run is printed in each format exactly as in report/NAME; -Dgolden.update=true rewrites. */
class ReportGoldenTest {
    private static final Path FOLDER =
            Path.of(System.getProperty("gpuflow.home")).resolve("engine/src/test/resources/report");

    private static final Terminal WIDE = new Terminal(true, Style.PLAIN, 80);
    private static final Terminal COLOURED = new Terminal(true, Style.COLOURED, 60);

    private static final Map<String, Callable<String>> GOLDENS =
            Map.of(
                    "slow.txt", () -> recap(Reports.slow(), Terminal.NONE),
                    "slow.80.txt", () -> recap(Reports.slow(), WIDE),
                    "slow.60-coloured.txt", () -> recap(Reports.slow(), COLOURED),
                    "slow.json", () -> json(Reports.slow()),
                    "slow.junit.xml", () -> junit(Reports.slow()),
                    "slow.html", () -> RunHtml.of(Reports.slow()),
                    "replay.txt", () -> recap(Reports.replay(), Terminal.NONE),
                    "dry-run.txt", () -> recap(Reports.dryRun(), Terminal.NONE));

    @TestFactory
    Collection<DynamicTest> goldens() {
        List<DynamicTest> tests = new ArrayList<>();
        for (String name : new TreeSet<>(GOLDENS.keySet())) {
            tests.add(
                    dynamicTest(name, () -> check(FOLDER.resolve(name), GOLDENS.get(name).call())));
        }
        return tests;
    }

    @Test
    void noGoldenIsLeftOver() throws IOException {
        try (var files = Files.list(FOLDER)) {
            assertEquals(
                    new TreeSet<>(GOLDENS.keySet()),
                    new TreeSet<>(files.map(f -> f.getFileName().toString()).toList()));
        }
    }

    private static void check(Path golden, String actual) throws IOException {
        if (Boolean.getBoolean("golden.update")) {
            Files.createDirectories(FOLDER);
            Files.writeString(golden, actual);
        }
        assertEquals(Files.readString(golden), actual);
    }

    @Test
    void everyFormatOfAReplaySaysThatItIsOne() throws Exception {
        RunReport run = Reports.replay();
        assertTrue(recap(run, Terminal.NONE).contains("replay of the recording examples/h200x2"));
        assertTrue(json(run).contains("\"replay\" : true"));
        assertTrue(junit(run).contains("replay of"));
        assertTrue(RunHtml.of(run).contains("This is a replay of the recording examples/h200x2"));
    }

    @Test
    void whatToolsPrintedCannotHarm() throws Exception {
        RunReport run = Reports.hostile();
        for (Terminal terminal : Arrays.asList(Terminal.NONE, WIDE)) {
            String recap = recap(run, terminal);
            assertFalse(recap.contains("\u001b"), recap);
            assertFalse(recap.contains("\u202e"), recap);
            assertFalse(recap.contains("\r"), recap);
        }
        String html = RunHtml.of(run);
        assertFalse(html.contains("<script"), html);
        assertTrue(html.contains("&lt;script&gt;"), html);
        DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(junit(run).getBytes(StandardCharsets.UTF_8)));
        JsonNode json = new ObjectMapper().readTree(json(run));
        assertEquals(3, json.get("exit").asInt());
    }

    @Test
    void noLineIsWiderThanTheTerminalUnlessAWordIs() throws Exception {
        for (String line : recap(Reports.slow(), WIDE).split("\n")) {
            assertTrue(Wrap.columns(line) <= 80, line);
        }
    }

    private static String recap(RunReport run, Terminal terminal) {
        return String.join("\n", Recap.lines(run, terminal)) + "\n";
    }

    private static String json(RunReport run) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        JsonPrinter.print(RunValues.of(run), out);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static String junit(RunReport run) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RunJunit.print(run, out);
        return out.toString(StandardCharsets.UTF_8);
    }
}
