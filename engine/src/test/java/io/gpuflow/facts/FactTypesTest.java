package io.gpuflow.facts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FactTypesTest {
    @Test
    void everyFactRecordIsListed() throws IOException {
        Path facts =
                Path.of(
                        System.getProperty("gpuflow.home"),
                        "engine/src/main/java/io/gpuflow/facts");
        Set<String> written = new TreeSet<>();
        try (Stream<Path> files = Files.list(facts)) {
            for (Path file : files.toList()) {
                if (Files.readString(file).contains("implements Fact ")) {
                    written.add(file.getFileName().toString().replace(".java", ""));
                }
            }
        }
        assertEquals(
                written,
                FactTypes.all().stream()
                        .map(Class::getSimpleName)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }
}
