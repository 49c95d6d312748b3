package io.gpuflow.parse;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.gpuflow.report.JsonPrinter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Damaged and hostile texts: no parser throws, and each ends in bounded time. Seeds are fixed. */
class ParserFuzzTest {
    private static final Path SAMPLES =
            Path.of(System.getProperty("gpuflow.home", "."), "engine", "samples");

    private static final int MUTANTS = 12;

    /** Characters; enough that a parser whose time grows with the square is noticed. */
    private static final int HOSTILE = 100_000;

    private static final Duration LIMIT = Duration.ofSeconds(10);

    static List<Path> samples() throws IOException {
        try (Stream<Path> files = Files.walk(SAMPLES)) {
            return files.filter(file -> file.toString().endsWith(".out")).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void damagedSamplesAreReadWithoutAnError(Path sample) throws IOException {
        String text = Files.readString(sample);
        Parser<?> own = Parsers.named(sample.getParent().getFileName().toString());
        Random random = new Random(sample.getFileName().toString().hashCode());
        for (int i = 0; i < MUTANTS; i++) {
            String mutant = mutated(text, random);
            read(own, mutant);
            Reading reading = Reading.of(mutant);
            JsonPrinter.print(reading.values(), new ByteArrayOutputStream());
            reading.facts("mutant");
        }
    }

    /** Every parser on every sample, also of another tool: --as takes what a user gives it. */
    @ParameterizedTest
    @MethodSource("samples")
    void foreignSamplesAreReadWithoutAnError(Path sample) throws IOException {
        String text = Files.readString(sample);
        String part = text.substring(0, Math.min(text.length(), 20_000));
        for (Parser<?> parser : Parsers.all()) {
            read(parser, part);
        }
    }

    @Test
    void hugeAndHostileTextsEndInTime() {
        List<String> units =
                List.of(
                        "GPU0",
                        "GPU0\t",
                        "GPU0 X NV18\n",
                        "\tGPU0\tGPU1\n",
                        "GPU0 0 XGMI\n",
                        "NCCL INFO ",
                        "[",
                        "{\"nodes\":",
                        "[\n",
                        "{\"a\":1}\n",
                        " ",
                        "|",
                        "\n",
                        "0,",
                        "8 2 float sum -1 1.0 1.0 1.0 0 1.0 1.0 1.0 0\n",
                        "\u001b[",
                        "Fabric\n",
                        "a:1:2 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via P2P/IPC\n",
                        "GPU 0: A (UUID: GPU-1)\n\t Link 0: 25 GB/s\n",
                        "<a>",
                        "A: ",
                        "\t: ");
        for (String unit : units) {
            String text = unit.repeat(HOSTILE / unit.length());
            for (Parser<?> parser : Parsers.all()) {
                assertTimeoutPreemptively(
                        LIMIT,
                        () -> read(parser, text),
                        () -> parser.kind() + " on many of " + unit.strip());
            }
        }
    }

    private static void read(Parser<?> parser, String text) {
        parser.recognises(text);
        Report report = parser.parse(text);
        assertNotNull(report.values());
        assertNotNull(report.unparsed());
        assertNotNull(report.facts("fuzz"));
    }

    /** A few edits as they befall real texts, and some that don't. */
    private static String mutated(String text, Random random) {
        StringBuilder mutant = new StringBuilder(text);
        int edits = 1 + random.nextInt(12);
        for (int i = 0; i < edits && mutant.length() > 0; i++) {
            int at = random.nextInt(mutant.length());
            int length = 1 + random.nextInt(Math.min(60, mutant.length() - at));
            switch (random.nextInt(9)) {
                case 0 -> mutant.delete(at, at + length);
                case 1 -> mutant.insert(at, mutant.substring(at, at + length));
                case 2 -> mutant.setCharAt(at, (char) random.nextInt(256));
                case 3 -> mutant.insert(at, "\n");
                case 4 -> mutant.insert(at, String.valueOf(random.nextLong()));
                case 5 -> mutant.insert(at, "\t");
                case 6 -> mutant.insert(at, "\u001b[31m");
                case 7 -> mutant.setLength(at);
                default -> mutant.insert(at, ":[](){}|,\"-".charAt(random.nextInt(10)));
            }
        }
        return mutant.toString();
    }
}
