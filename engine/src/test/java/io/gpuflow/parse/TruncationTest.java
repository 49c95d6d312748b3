package io.gpuflow.parse;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A text that was cut anywhere tells less, never something else: the judgement over all GPUs or all
 * rows is the same as that of the whole text, or it is not made.
 */
class TruncationTest {
    private static final Path SAMPLES =
            Path.of(System.getProperty("gpuflow.home", "."), "engine", "samples");

    /** Kind, key of the judgement, the value that says it was not made. */
    private static final Map<String, List<Object>> JUDGED =
            Map.of(
                    "topo-m", List.of("link_class", "unknown"),
                    "amd", List.of("link_class", "unknown"),
                    "p2p", List.of("all_pairs_ok", "null"),
                    "nccl-tests", List.of("completed", "false"),
                    "imex", List.of("domain_state", "null"));

    static List<Path> samples() throws IOException {
        try (Stream<Path> files = Files.walk(SAMPLES)) {
            return files.filter(file -> file.toString().endsWith(".out"))
                    .filter(file -> JUDGED.containsKey(kind(file)))
                    .sorted()
                    .toList();
        }
    }

    private static String kind(Path file) {
        return file.getParent().getFileName().toString();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aCutTextTellsLessNeverElse(Path file) throws IOException {
        Parser<?> parser = Parsers.named(kind(file));
        List<Object> judged = JUDGED.get(kind(file));
        String text = Files.readString(file);
        String key = judged.get(0).toString();
        String whole = String.valueOf(parser.parse(text).values().get(key));
        int stride = Math.max(1, text.length() / 200);
        for (int length = 0; length < text.length(); length += stride) {
            String cut = String.valueOf(parser.parse(text.substring(0, length)).values().get(key));
            boolean less = cut.equals(judged.get(1)) || cut.equals("null");
            assertTrue(
                    less || cut.equals(whole),
                    key + " is " + cut + " after " + length + " characters, " + whole + " in all");
        }
    }
}
