package io.gpuflow.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** This build's version. */
final class Version {
    private Version() {}

    /** {@code 0.1.0}. */
    static String text() {
        try (InputStream in = Version.class.getResourceAsStream("version.txt")) {
            String line = new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
            return line.replaceFirst("^gpuflow +", "").lines().findFirst().orElse(line);
        } catch (IOException e) {
            return "unknown";
        }
    }
}
