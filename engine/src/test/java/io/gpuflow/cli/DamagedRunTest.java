package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.gpuflow.flow.Ledger;
import io.gpuflow.report.JsonPrinter;
import io.gpuflow.report.Recap;
import io.gpuflow.report.RunHtml;
import io.gpuflow.report.RunJunit;
import io.gpuflow.report.RunReport;
import io.gpuflow.report.RunValues;
import io.gpuflow.report.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is in a run's folder, report says what it can and never falls over. */
class DamagedRunTest {
    private static final Path HOME = Path.of(System.getProperty("gpuflow.home"));
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir Path dir;

    @Test
    void everyFormatSurvivesADamagedJournal() throws Exception {
        PrintStream before = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        try {
            Main.run(
                    "run",
                    HOME.resolve("workflows/setup.yaml").toString(),
                    "--machine",
                    HOME.resolve("examples/h200x2/recording").toString(),
                    "--run-dir",
                    dir.resolve("r").toString());
        } finally {
            System.setOut(before);
        }
        List<String> whole = Files.readAllLines(dir.resolve("r/journal.jsonl"));
        assertFalse(whole.isEmpty());
        Random random = new Random(20261129);
        for (int round = 0; round < 150; round++) {
            List<String> lines = new ArrayList<>(whole);
            for (int i = random.nextInt(6); i >= 0; i--) {
                int at = random.nextInt(lines.size());
                lines.set(at, damaged(JSON.readTree(lines.get(at)), random));
            }
            Files.write(dir.resolve("journal.jsonl"), lines);
            print(RunReports.of(Ledger.read(dir.resolve("journal.jsonl")), "r", 0));
        }
    }

    private static void print(RunReport run) throws Exception {
        Recap.lines(run, Terminal.NONE).forEach(line -> assertNotNull(line));
        RunHtml.of(run);
        RunJunit.print(run, new ByteArrayOutputStream());
        JsonPrinter.print(RunValues.of(run), new ByteArrayOutputStream());
    }

    /** Takes something away, or puts something else in its place, somewhere in the tree. */
    private static String damaged(JsonNode tree, Random random) {
        JsonNode node = tree;
        while (true) {
            if (node instanceof ObjectNode object && !object.isEmpty()) {
                List<String> names = new ArrayList<>();
                object.fieldNames().forEachRemaining(names::add);
                String name = names.get(random.nextInt(names.size()));
                JsonNode child = object.get(name);
                if (child.isValueNode() || random.nextInt(3) == 0) {
                    if (random.nextBoolean()) {
                        object.remove(name);
                    } else {
                        object.set(name, other(random));
                    }
                    return tree.toString();
                }
                node = child;
            } else if (node instanceof ArrayNode array && !array.isEmpty()) {
                int at = random.nextInt(array.size());
                if (array.get(at).isValueNode() || random.nextInt(3) == 0) {
                    array.set(at, other(random));
                    return tree.toString();
                }
                node = array.get(at);
            } else {
                return tree.toString();
            }
        }
    }

    private static JsonNode other(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> NullNode.instance;
            case 1 -> TextNode.valueOf("\u001b[2J<b>");
            case 2 -> JSON.createArrayNode().addNull();
            case 3 -> JSON.createObjectNode();
            default -> JSON.getNodeFactory().numberNode(-1e300);
        };
    }
}
