package io.gpuflow.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Unknown;
import io.gpuflow.report.JsonPrinter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every pair samples/KIND/MACHINE--WHAT.out and .json: what the parser of that kind reads from the
 * tool's output. {@code -Dgolden.update=true} rewrites the .json files.
 */
class ParserGoldenTest {
    private static final Path SAMPLES =
            Path.of(System.getProperty("gpuflow.home", "."), "engine", "samples");

    @TestFactory
    Stream<DynamicTest> samples() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path out : filesEnding(".out")) {
            String name = SAMPLES.relativize(out).toString();
            tests.add(dynamicTest(name + " golden", () -> golden(out)));
            tests.add(dynamicTest(name + " recognised", () -> recognised(out)));
            tests.add(dynamicTest(name + " cut anywhere", () -> truncated(out)));
            tests.add(dynamicTest(name + " line ends and colours", () -> dressed(out)));
        }
        Set<String> kinds = Parsers.all().stream().map(Parser::kind).collect(Collectors.toSet());
        for (Path json : filesEnding(".json")) {
            if (kinds.contains(SAMPLES.relativize(json).getName(0).toString())) {
                tests.add(
                        dynamicTest(json.getFileName() + " has its .out", () -> hasPartner(json)));
            }
        }
        for (Parser<?> parser : Parsers.all()) {
            tests.add(dynamicTest(parser.kind() + " has samples", () -> hasSamples(parser)));
            tests.add(dynamicTest(parser.kind() + " of nothing", () -> empty(parser)));
        }
        return tests.stream();
    }

    private static List<Path> filesEnding(String ending) throws IOException {
        try (Stream<Path> files = Files.walk(SAMPLES)) {
            return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        }
    }

    private static void golden(Path out) throws IOException {
        Path json = Path.of(out.toString().replaceFirst("\\.out$", ".json"));
        String read = read(parserOf(out), Files.readString(out));
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(json, read);
            return;
        }
        assertTrue(Files.exists(json), "no .json beside it; make it with -Dgolden.update=true");
        assertEquals(Files.readString(json), read);
    }

    private static void recognised(Path out) throws IOException {
        Reading reading = Reading.of(Files.readString(out));
        assertFalse(reading.kinds().isEmpty(), "not recognised");
        assertEquals(parserOf(out).kind(), reading.kinds().get(0));
    }

    private static void truncated(Path out) throws IOException {
        Parser<?> parser = parserOf(out);
        String text = Files.readString(out);
        int stride = Math.max(1, text.length() / 150);
        for (int length = 0; length < text.length(); length += stride) {
            Report report = parser.parse(text.substring(0, length));
            report.facts("cut");
            assertNotNull(report.values());
        }
    }

    private static void dressed(Path out) throws IOException {
        Parser<?> parser = parserOf(out);
        String text = Files.readString(out);
        String expected = read(parser, text);
        assertEquals(expected, read(parser, text.replace("\n", "\r\n")), "CRLF");
        String bare = text.replaceAll("\u001b\\[[0-9;]*m", "");
        assertEquals(expected, read(parser, bare), "without escape codes");
        String coloured = "\u001b[1m" + bare.replace("\n", "\u001b[0m\n\u001b[32;1m") + "\u001b[0m";
        assertEquals(expected, read(parser, coloured), "with escape codes");
    }

    private static void hasPartner(Path json) {
        Path out = Path.of(json.toString().replaceFirst("\\.json$", ".out"));
        assertTrue(Files.exists(out), "no such sample: " + out);
    }

    private static void hasSamples(Parser<?> parser) throws IOException {
        assertTrue(Files.isDirectory(SAMPLES.resolve(parser.kind())), "no samples");
    }

    private static void empty(Parser<?> parser) {
        for (String nothing : List.of("", "\n", "  \t \r\n\n")) {
            assertEquals(0, parser.recognises(nothing));
            Report report = parser.parse(nothing);
            assertNotNull(report.error(), "an empty text must not look like an answer");
            for (Observed observed : report.facts("nothing")) {
                assertTrue(observed.fact() instanceof Unknown, observed.toString());
            }
            assertFalse(report.values().isEmpty());
        }
    }

    private static Parser<?> parserOf(Path out) {
        Parser<?> parser = Parsers.named(out.getParent().getFileName().toString());
        assertNotNull(parser, "the folder is not named after a parser: " + out.getParent());
        return parser;
    }

    /** What the golden file holds: the keys of facts --json and every fact with its line. */
    private static String read(Parser<?> parser, String text) throws IOException {
        Report report = parser.parse(text);
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("kind", parser.kind());
        object.putAll(report.values());
        object.put("unparsed", report.unparsed());
        List<String> facts = new ArrayList<>();
        for (Observed observed : report.facts("sample")) {
            // Components that are null are left out, so that a new one does not change every file.
            String fact = observed.fact().toString().replaceAll("(, )?\\w+=null(?=[,\\]])", "");
            facts.add(observed.source().line() + ": " + fact.replace("[, ", "["));
        }
        object.put("facts", facts);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        JsonPrinter.print(object, bytes);
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
