package io.gpuflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What must not be shown or written is nowhere: output, journal, kept files, recording. */
class SecretsTest {
    /** Declared, in env:, as an option, in a script, in the caller's environment. */
    private static final List<String> SECRETS =
            List.of("decl-4r3d", "l1teral-env", "opt10n-value", "scr1pt-value", "call3r-value");

    private static final String FLOW =
            """
            gpuflow: 1
            inputs: { token: { default: none, secret: true } }
            env: { API_TOKEN: l1teral-env }
            steps:
              - id: talk
                sh: |
                  DB_PASSWORD=scr1pt-value
                  echo "$T $API_TOKEN $DB_PASSWORD $HF_TOKEN"
                  echo "$T $API_TOKEN $DB_PASSWORD $HF_TOKEN" > kept.log
                  printf 'a\\0b%s' "$T" > kept.bin
                env: { T: "${{ inputs.token }}" }
                extract: { regex: "(?P<first>\\\\S+)" }
                keep: ["kept.*"]
              - { id: option, after: talk, cmd: [echo, --api-key, opt10n-value, "--password=opt10n-value"] }
              - { id: bad, after: option, sh: 'echo "$API_TOKEN is wrong" >&2; exit 3' }
            """;

    @TempDir Path dir;

    @Test
    void noSecretIsShownOrWritten() throws Exception {
        Files.writeString(dir.resolve("flow.yaml"), FLOW);
        Path mine = Files.createDirectory(dir.resolve("mine"));
        RunProcess run =
                RunProcess.start(
                        dir,
                        Map.of("HF_TOKEN", "call3r-value"),
                        "run",
                        "flow.yaml",
                        "-i",
                        "token=decl-4r3d",
                        "--run-dir",
                        mine + "/r",
                        "--record",
                        mine + "/rec");
        assertEquals(1, run.exit(), run.output());
        assertTrue(run.output().contains("*** is wrong"), run.output());
        clean("the output", run.output());
        assertEquals(
                "*** *** *** ***\n",
                Files.readString(mine.resolve("r/steps/talk/1/keep/kept.log")));
        for (String format : List.of("terminal", "json", "html", "junit")) {
            RunProcess report =
                    RunProcess.start(dir, Map.of(), "report", mine + "/r", "--format", format);
            assertEquals(0, report.exit(), report.output());
            clean(format, report.output());
        }
        int files = 0;
        try (Stream<Path> all = Files.walk(mine)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                clean(file.toString(), read(file));
                files++;
            }
        }
        assertTrue(files > 15, "only " + files + " files were looked at");
    }

    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }

    private static void clean(String where, String text) {
        SECRETS.forEach(secret -> assertFalse(text.contains(secret), where + ": " + text));
    }
}
