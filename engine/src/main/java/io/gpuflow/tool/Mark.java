package io.gpuflow.tool;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * The mark that a process started by us carries in its environment, and with it all that it starts:
 * neither a new session nor a lost parent takes it away, so /proc/PID/environ tells it.
 *
 * @param text a random word that no other process can carry by chance
 */
record Mark(String text) {
    static final String VARIABLE = "GPUFLOW_RUN";

    private static final Duration READ_LIMIT = Duration.ofSeconds(1);

    /** The mark of one gpuflow process; {@link #call} narrows it to one command. */
    static Mark random() {
        return new Mark(String.format("%032x", new BigInteger(128, new SecureRandom())));
    }

    Mark call(long number) {
        return new Mark(text + "." + number + ";");
    }

    /** A gpuflow started by another one adds its mark, so that the outer one still finds all. */
    void put(Map<String, String> environment) {
        environment.merge(VARIABLE, text, (outer, own) -> outer + own);
    }

    /** False also when its environment can't be read: another user's, or stuck in the kernel. */
    boolean on(long pid) throws InterruptedException {
        try {
            return Bounded.within(READ_LIMIT, () -> contains(environ(pid)));
        } catch (TimeoutException | ExecutionException e) {
            return false;
        }
    }

    private static byte[] environ(long pid) throws IOException {
        try (InputStream in = Files.newInputStream(Path.of("/proc/" + pid + "/environ"))) {
            return in.readNBytes(4 << 20);
        }
    }

    private boolean contains(byte[] environ) {
        return new String(environ, StandardCharsets.ISO_8859_1).contains(text);
    }
}
