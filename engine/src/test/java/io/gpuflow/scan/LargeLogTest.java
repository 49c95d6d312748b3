package io.gpuflow.scan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Memory does not grow with the log: 200 MB go through a Java that has less. */
class LargeLogTest {
    private static final int MEGABYTES = 200;

    @Test
    void aLogLargerThanTheMemoryIsReadToItsEnd() throws IOException, InterruptedException {
        Process child =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx120m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "io.gpuflow.cli.Main",
                                "diagnose",
                                "--json",
                                "-")
                        .redirectErrorStream(true)
                        .start();
        try {
            try (OutputStream out = child.getOutputStream()) {
                byte[] block = block();
                for (int i = 0; i < MEGABYTES; i++) {
                    out.write(block);
                }
                out.write(
                        text(
                                "[rank3]: torch.OutOfMemoryError: CUDA out of memory."
                                        + " Tried to allocate 2.00 GiB.\n"));
            }
            String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(child.waitFor(60, TimeUnit.SECONDS));
            assertTrue(said.contains("\"rank-oom\""), said);
            assertTrue(said.replaceAll("\\s", "").contains("\"ranks\":[3]"), said);
        } finally {
            child.destroyForcibly();
        }
    }

    /** Lines of work, with a victim's word here and there, about 1 MB. */
    private static byte[] block() {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; lines.length() < 1 << 20; i++) {
            lines.append("[rank").append(i % 64).append("]: iteration ").append(i);
            lines.append("/ 100000 | lm loss: 2.0").append(i).append(" | grad norm: 0.4\n");
            if (i % 1_000 == 0) {
                lines.append("[rank").append(i % 64);
                lines.append("]: n1:7:8 [0] NCCL INFO Channel 00/02 : 0 1 2 3\n");
            }
        }
        return text(lines.toString());
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
