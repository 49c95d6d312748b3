package io.gpuflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every command that README.md and the examples' READMEs show is run as it stands, from the clone's
 * root. A command is a line {@code $ …} in a {@code console} block; a line {@code # exit N} after
 * its output says which exit code it has when that is not 0.
 */
class ReadmeTest {
    private static final Path HOME = Path.of(System.getProperty("gpuflow.home", "."));

    private record Shown(Path file, int line, String command, int exit) {}

    @TempDir Path elsewhere;

    @TestFactory
    Stream<DynamicTest> theCommandsRun() throws IOException {
        List<Shown> all = new ArrayList<>();
        for (Path readme : readmes()) {
            all.addAll(shown(readme));
        }
        assertTrue(all.size() > 5, "the README shows its commands in console blocks");
        return all.stream()
                .filter(s -> !s.command.startsWith("mvn ")) // this test is part of it
                .map(
                        s ->
                                DynamicTest.dynamicTest(
                                        HOME.relativize(s.file) + ":" + s.line + " " + s.command,
                                        () -> runs(s)));
    }

    @Test
    void ciRunsTheTestCommandOfTheReadme() throws IOException {
        String ci = Files.readString(HOME.resolve(".ci/run"));
        assertTrue(Files.readString(HOME.resolve("README.md")).contains("\n$ mvn verify\n"));
        assertTrue(ci.stripTrailing().endsWith("exec mvn -B -ntp verify"));
    }

    private void runs(Shown shown) throws IOException, InterruptedException {
        Path output = elsewhere.resolve("output");
        Process process =
                new ProcessBuilder("sh", "-c", shown.command)
                        .directory(HOME.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        process.getOutputStream().close();
        boolean ended = process.waitFor(300, TimeUnit.SECONDS);
        process.destroyForcibly();
        String text = Files.readString(output);
        assertTrue(ended, text);
        assertEquals(shown.exit, process.exitValue(), text);
        assertFalse(text.contains("\tat io.gpuflow"), text);
    }

    private static List<Path> readmes() throws IOException {
        List<Path> found = new ArrayList<>(List.of(HOME.resolve("README.md")));
        try (Stream<Path> examples = Files.list(HOME.resolve("examples"))) {
            examples.map(e -> e.resolve("README.md"))
                    .filter(Files::exists)
                    .sorted()
                    .forEach(found::add);
        }
        return found;
    }

    private static List<Shown> shown(Path file) throws IOException {
        List<Shown> commands = new ArrayList<>();
        boolean console = false;
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (line.startsWith("```")) {
                console = line.equals("```console");
            } else if (console && line.startsWith("$ ")) {
                commands.add(new Shown(file, number, line.substring(2), 0));
            } else if (console && line.startsWith("# exit ")) {
                Shown last = commands.remove(commands.size() - 1);
                int exit = Integer.parseInt(line.substring(7).strip());
                commands.add(new Shown(last.file, last.line, last.command, exit));
            }
        }
        return commands;
    }
}
