package io.gpuflow.parse;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Damaged output of tools never makes a parser throw or hang. Seeded: a failure repeats. */
class MutatedSamplesTest {
    private static final Path SAMPLES = Path.of("engine/samples");
    private static final int MUTANTS = 60;

    @TestFactory
    Stream<DynamicTest> damage() {
        // That each parser has samples is the golden test's business.
        return Parsers.all().stream()
                .filter(p -> Files.isDirectory(SAMPLES.resolve(p.kind())))
                .map(p -> DynamicTest.dynamicTest(p.kind(), () -> damage(p)));
    }

    private static void damage(Parser<?> parser) throws IOException {
        List<Path> samples;
        try (Stream<Path> files = Files.list(SAMPLES.resolve(parser.kind()))) {
            samples = files.filter(f -> f.toString().endsWith(".out")).sorted().toList();
        }
        Random random = new Random(parser.kind().hashCode());
        for (Path sample : samples) {
            byte[] bytes = Files.readAllBytes(sample);
            for (int i = 0; i < MUTANTS / samples.size() + 3; i++) {
                String text = mutant(bytes, random);
                String name = sample + ", mutant " + i;
                assertTimeoutPreemptively(Duration.ofSeconds(10), () -> read(parser, text), name);
            }
        }
    }

    private static void read(Parser<?> parser, String text) {
        parser.recognises(text);
        Report report = parser.parse(text);
        assertNotNull(report.unparsed());
        assertNotNull(report.values());
        report.facts("mutant").forEach(o -> assertNotNull(o.fact()));
    }

    private static String mutant(byte[] original, Random random) {
        byte[] bytes = original.clone();
        int length = bytes.length;
        for (int hits = 1 + random.nextInt(20); hits > 0 && length > 0; hits--) {
            int at = random.nextInt(length);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 ->
                        bytes[at] =
                                (byte) "0123456789-.:,+\"<>[]{}\t\n ".charAt(random.nextInt(25));
                case 2 -> length = random.nextInt(4) == 0 ? at : length;
                case 3 -> System.arraycopy(bytes, 0, bytes, at, Math.min(40, length - at));
                default -> bytes[at] = '9';
            }
        }
        String text = new String(bytes, 0, length, StandardCharsets.UTF_8);
        return random.nextInt(8) == 0
                ? text + text
                : text.replace("1", random.nextInt(6) == 0 ? "99999999999" : "1");
    }
}
