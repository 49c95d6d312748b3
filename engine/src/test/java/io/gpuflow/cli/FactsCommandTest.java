package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FactsCommandTest {
    private static final Path SAMPLES =
            Path.of(System.getProperty("gpuflow.home", "."), "engine", "samples");

    @TempDir private Path folder;

    private int exit;

    private String facts(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "facts";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        PrintStream before = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            exit = Main.run(all);
        } finally {
            System.setOut(before);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private JsonNode json(String... files) throws IOException {
        String[] all = new String[files.length + 1];
        all[0] = "--json";
        System.arraycopy(files, 0, all, 1, files.length);
        return new ObjectMapper().readTree(facts(all));
    }

    private String file(byte[] content) throws IOException {
        return Files.write(folder.resolve("file"), content).toString();
    }

    @Test
    void aNameCantReachTheTerminalAsAnEscapeSequence() throws IOException {
        Path odd = Files.writeString(folder.resolve("a\u001b[31mb\nkind: topo-m"), "x");
        String out = facts(odd.toString());
        assertEquals(3, exit);
        assertTrue(out.startsWith("file: " + folder.resolve("ab kind: topo-m") + "\n"), out);
        assertEquals(-1, out.indexOf('\u001b'));
    }

    @Test
    void groupsAndRowsReadAsWordsAndWhatWasNotSaidIsLeftOut() {
        String links = facts(SAMPLES.resolve("topo-m/h200x2.out").toString());
        assertTrue(links.contains("nvlink_groups: 0,1\n"), links);
        String ras = facts(SAMPLES.resolve("ras/dgx-x4--many-ranks.out").toString());
        assertTrue(ras.contains("- count=1, size=32, status=RUNNING"), ras);
        assertTrue(ras.contains("error: none\n"), ras);
        assertEquals(-1, ras.indexOf("null"), ras);
    }

    @Test
    void aNamedPipeIsRefusedAndNotWaitedFor() throws IOException, InterruptedException {
        String pipe = folder.resolve("pipe").toString();
        assertEquals(0, new ProcessBuilder("mkfifo", pipe).start().waitFor());
        String out = assertTimeoutPreemptively(Duration.ofSeconds(20), () -> facts(pipe));
        assertEquals(2, exit);
        assertTrue(out.contains("is not a plain file"), out);
    }

    @Test
    void oneObjectAFileInTheOrderGiven() throws IOException {
        String topo = SAMPLES.resolve("topo-m/h200x2.out").toString();
        String list = SAMPLES.resolve("gpu-list/h200x2.out").toString();
        JsonNode objects = json(list, topo);
        assertEquals(2, objects.size());
        assertEquals("gpu-list", objects.get(0).get("kind").asText());
        assertEquals(topo, objects.get(1).get("file").asText());
        assertEquals("nvswitch-all-to-all", objects.get(1).get("link_class").asText());
        assertTrue(objects.get(1).has("unparsed"));
        assertEquals(ExitCode.OK, exit);
    }

    @Test
    void aFailureOfTheToolIsUntold() throws IOException {
        JsonNode object = json(SAMPLES.resolve("topo-m/vm--driver-mismatch.out").toString()).get(0);
        assertEquals("nvml-version-mismatch", object.get("error").asText());
        assertEquals(0, object.get("gpu_count").asInt());
        assertEquals("unknown", object.get("link_class").asText());
        assertEquals(ExitCode.UNTOLD, exit);
    }

    @Test
    void anUnknownTextHasNoKindAndSaysWhatToDo() throws IOException {
        JsonNode object =
                json(file("a shopping list\nmilk\n".getBytes(StandardCharsets.UTF_8))).get(0);
        assertTrue(object.get("kind").isNull());
        assertTrue(object.get("error").asText().contains("--as"), object.toString());
        assertEquals(ExitCode.UNTOLD, exit);
    }

    @Test
    void theKindCanBeNamed() throws IOException {
        String path = file("READY\n".getBytes(StandardCharsets.UTF_8));
        assertTrue(facts("--as", "imex", path).contains("daemon_status: READY"));
        assertEquals(ExitCode.OK, exit);
        facts("--as", "no-such-kind", path);
        assertEquals(ExitCode.USAGE, exit);
    }

    @Test
    void whatCannotBeReadIsTold() throws IOException {
        assertEquals(
                "no such file",
                json(folder.resolve("none").toString()).get(0).get("error").asText());
        assertEquals(ExitCode.USAGE, exit);
        assertTrue(json(folder.toString()).get(0).get("error").asText().contains("folder"));
        byte[] binary = new byte[5000];
        binary[0] = 0x7f;
        assertTrue(json(file(binary)).get(0).get("error").asText().contains("not text"));
        assertEquals(ExitCode.USAGE, exit);
        facts();
        assertEquals(ExitCode.USAGE, exit);
    }

    @Test
    void textOfOtherSystemsIsRead() throws IOException {
        String topo = Files.readString(SAMPLES.resolve("topo-m/h100x8--nvswitch-8nic.out"));
        byte[] wide = ("\ufeff" + topo.replace("\n", "\r\n")).getBytes(StandardCharsets.UTF_16LE);
        assertEquals(8, json(file(wide)).get(0).get("gpu_count").asInt());
        byte[] latin = ("Übersicht\n" + topo).getBytes(StandardCharsets.ISO_8859_1);
        assertEquals(8, json(file(latin)).get(0).get("gpu_count").asInt());
        assertEquals(ExitCode.OK, exit);
    }

    @Test
    void severalToolsInOneFile() throws IOException {
        String both =
                Files.readString(SAMPLES.resolve("nvlink/h200x2--s.out"))
                        + Files.readString(SAMPLES.resolve("topo-m/h200x2.out"))
                        + Files.readString(SAMPLES.resolve("p2p/h200x2--r.out"));
        JsonNode object = json(file(both.getBytes(StandardCharsets.UTF_8))).get(0);
        assertEquals("topo-m", object.get("kind").asText());
        assertEquals(18, object.get("gpus").get("GPU 1").get("links_up").asInt());
        assertTrue(object.get("all_pairs_ok").asBoolean());
        assertEquals("nvswitch-all-to-all", object.get("link_class").asText());
    }
}
