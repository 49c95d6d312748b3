package io.gpuflow.tool;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * The mark that a process started by us carries, and with it all that it starts: in a limit that
 * nothing uses ({@link LimitMark}), and in its environment, where /proc/PID/environ tells it.
 * Neither a new session nor a lost parent takes it away.
 *
 * @param text a random word that no other process can carry by chance
 * @param number of the command, 0 for all of one gpuflow process
 */
record Mark(String text, LimitMark limit, long number) {
    static final String VARIABLE = "GPUFLOW_RUN";

    private static final Duration READ_LIMIT = Duration.ofSeconds(1);

    /** The mark of one gpuflow process; {@link #call} narrows it to one command. */
    static Mark random() {
        String text = String.format("%032x", new BigInteger(128, new SecureRandom()));
        return new Mark(text, LimitMark.random(), 0);
    }

    Mark call(long number) {
        return new Mark(text + "." + number + ";", limit, number);
    }

    /** A gpuflow started by another one adds its mark, so that the outer one still finds all. */
    void put(Map<String, String> environment) {
        environment.merge(VARIABLE, text, (outer, own) -> outer + own);
    }

    /** What to put before the command, so that it carries the limit. */
    List<String> command() {
        return limit.command(number);
    }

    /** False also when its environment can't be read: another user's, or stuck in the kernel. */
    boolean on(long pid) throws InterruptedException {
        if (limit.on(pid, number)) {
            return true;
        }
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
